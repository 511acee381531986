"""NodeTree: the actors and pipelines of a graph's nodes, as child specs of its supervisors."""

from __future__ import annotations

from typing import Any, cast

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.graph.hosts import StepHost, node_spec
from jido_ai.graph.loop_host import LoopHost
from jido_ai.graph.nodes import ApprovalNode, CheckNode, GraphConfig, LoopNode, StepNode
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.step_calls import approval_call, check_call, choice_call, step_call
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.reflexion_memory import ReflexionMemory


class NodeTree:
    """Makes the hosts of the nodes of a plan and the child specs of their actors.

    Args:
        name: of the graph; actors have names such as "graph.sub/draft".

    Attributes:
        hosts: of all nodes that do work.
        loops: those of loops, each with the name of the supervisor that it is started under, later.
    """

    def __init__(
        self,
        name: str,
        config: GraphConfig,
        *,
        system: ActorSystem,
        memory: ReflexionMemory | None,
        journal: RunJournal | None,
        lease_s: float,
    ) -> None:
        self._name = name
        self._config = config
        self._system = system
        self._memory = memory
        self._journal = journal
        self._lease_s = lease_s
        self.hosts: list[StepHost | LoopHost] = []
        self.loops: list[tuple[LoopHost, str]] = []

    def specs(self, plan: Plan, above: str) -> list[ChildSpec]:
        """Return the child specs of the nodes of a plan below the supervisor `above`."""
        return [spec for node in plan.nodes for spec in self._specs_of(node, above, node.name)]

    def _specs_of(self, node: PlanNode, above: str, id: str) -> list[ChildSpec]:
        name = f"{self._name}.{node.path}" if id != "each" else f"{above}.each"
        if node.kind == "map":
            return [self._supervisor(id, name, self._specs_of(cast("PlanNode", node.each), name, "each"))]
        if node.kind == "graph":
            return [self._supervisor(id, name, self.specs(cast("Plan", node.plan), name))]
        if isinstance(node.spec, LoopNode):
            loop = node.host = self._loop_host(name, node.spec, node.spec.task_type or node.name)
            self.hosts.append(loop)
            own = self._own_supervisor(node, id, f"{name}.supervisor", [])
            self.loops.append((loop, above if own is None else f"{name}.supervisor"))
            return [] if own is None else [own]
        host = node.host = self._step_host(node, name)
        self.hosts.append(host)
        spec = node_spec(host, id)
        own = self._own_supervisor(node, id, f"{name}.supervisor", [spec])
        return [spec if own is None else own]

    def _own_supervisor(self, node: PlanNode, id: str, name: str, children: list[ChildSpec]) -> ChildSpec | None:
        """Return the supervisor of a node with a restart intensity of its own."""
        spec, config = node.spec, self._config
        if spec.max_restarts is None and spec.max_seconds is None:
            return None
        intensity: dict[str, Any] = {
            "max_restarts": config.max_restarts if spec.max_restarts is None else spec.max_restarts,
            "max_seconds": config.max_seconds if spec.max_seconds is None else float(spec.max_seconds),
        }
        return ChildSpec(id=id, start=(Supervisor, (children,), intensity), type="supervisor", name=name)

    def _supervisor(self, id: str, name: str, children: list[ChildSpec]) -> ChildSpec:
        intensity = {"max_restarts": self._config.max_restarts, "max_seconds": self._config.max_seconds}
        return ChildSpec(id=id, start=(Supervisor, (children,), intensity), type="supervisor", name=name)

    def _loop_host(self, name: str, spec: LoopNode, task_type: str) -> LoopHost:
        return LoopHost(
            name,
            spec,
            system=self._system,
            memory=self._memory,
            task_type=task_type,
            journal=self._journal,
            lease_s=self._lease_s,
        )

    def _step_host(self, node: PlanNode, name: str) -> StepHost:
        spec = node.spec
        is_restarted = spec.restart == "permanent"
        match spec:
            case StepNode():
                call, components = step_call(spec)
            case CheckNode():
                call, components = check_call(spec)
            case ApprovalNode():
                call, components = approval_call(spec), ()
            case _:
                call, components = choice_call(node), ()
        return StepHost(name, call, components=components, is_restarted=is_restarted)
