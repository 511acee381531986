// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("jido-theme");
    } catch {
      return null; // storage is blocked: the theme follows the system
    }
  };
  const chosen = kept();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    const show = () => {
      const name = isDark() ? "Light theme" : "Dark theme";
      button.setAttribute("aria-label", name);
      button.title = name;
    };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("jido-theme", root.dataset.theme);
      } catch {
        // it lasts until the page is left
      }
      show();
    });
    system.addEventListener("change", show);
    show();
  });
})();
