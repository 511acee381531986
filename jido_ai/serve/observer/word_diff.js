// What changed from one text to another, by words (Myers' algorithm, with a limit of work).

const MOST_EDITS = 1500;
const PIECES = /\s+|[\p{L}\p{N}_'’]+|[^\s\p{L}\p{N}_'’]/gu;

/** Return a list of [kind, text]; kind is "=", "-" or "+". Together they are both texts. */
export function wordDiff(before, after) {
  const a = before.match(PIECES) ?? [];
  const b = after.match(PIECES) ?? [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const parts = [
    ...a.slice(0, head).map((word) => ["=", word]),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map((word) => ["=", word]),
  ];
  return joined(bridged(parts));
}

function middle(a, b) {
  if (!a.length || !b.length) return whole(a, b);
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= most; edits += 1) {
    const row = new Map();
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) (x += 1), (y += 1);
      row.set(k, x);
      if (x >= a.length && y >= b.length) return walked(a, b, [...trace, reach], edits);
    }
    trace.push(reach);
    reach = row;
    if (edits > 300 && edits * edits > 400000) break; // hopelessly different: say so quickly
  }
  return whole(a, b);
}

function walked(a, b, trace, edits) {
  const parts = [];
  let x = a.length;
  let y = b.length;
  for (let d = edits; d >= 0; d -= 1) {
    const reach = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (reach.get(fromK) ?? 0);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) parts.push(["=", a[(x -= 1)]]), (y -= 1);
    if (d === 0) break;
    if (down) parts.push(["+", b[(y -= 1)]]);
    else parts.push(["-", a[(x -= 1)]]);
  }
  return parts.reverse();
}

const whole = (a, b) => [...a.map((word) => ["-", word]), ...b.map((word) => ["+", word])];

/** Blanks between two changes belong to the changes: "a b" for "c d" is one change, not two. */
function bridged(parts) {
  return parts.flatMap((part, index) => {
    const isBlank = part[0] === "=" && /^[ \t]+$/.test(part[1]);
    const isBetween = index > 0 && index < parts.length - 1 && parts[index - 1][0] !== "=" && parts[index + 1][0] !== "=";
    return isBlank && isBetween ? [["-", part[1]], ["+", part[1]]] : [part];
  });
}

function joined(parts) {
  const result = [];
  let gone = "";
  let come = "";
  const flush = () => {
    if (gone) result.push(["-", gone]);
    if (come) result.push(["+", come]);
    gone = come = "";
  };
  for (const [kind, text] of parts) {
    if (kind === "-") gone += text;
    else if (kind === "+") come += text;
    else {
      flush();
      if (result.at(-1)?.[0] === "=") result.at(-1)[1] += text;
      else result.push(["=", text]);
    }
  }
  flush();
  return result;
}
