"""The actor runtime: OTP's supervision on asyncio. It does not depend on language models."""

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import (
    ChildCounts,
    ChildInfo,
    CountChildren,
    DeleteChild,
    RestartChild,
    StartChild,
    TerminateChild,
    WhichChildren,
)
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Crashed, ExitReason, IdleTimeout, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.relations import Down, Exit
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem, TreeNode
from jido_ai.actors.thread_actor import ThreadActor
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    AlreadyPresentError,
    AlreadyStartedError,
    AskTimeoutError,
    CallCycleError,
    CallError,
    ChildRunningError,
    ConfigurationError,
    Ignore,
    JidoError,
    MailboxFullError,
    MaxChildrenError,
    NameTakenError,
    NotFoundError,
    RestartingError,
    StartError,
    SupervisorError,
)

__all__ = [
    "Actor",
    "ActorDeadError",
    "ActorError",
    "ActorRef",
    "ActorSystem",
    "AlreadyPresentError",
    "AlreadyStartedError",
    "Ask",
    "AskTimeoutError",
    "Backoff",
    "Bounded",
    "CallCycleError",
    "CallError",
    "ChildCounts",
    "ChildInfo",
    "ChildRunningError",
    "ChildSpec",
    "ConfigurationError",
    "CountChildren",
    "Crashed",
    "DeleteChild",
    "Down",
    "DynamicSupervisor",
    "Exit",
    "ExitReason",
    "IdleTimeout",
    "Ignore",
    "JidoError",
    "Killed",
    "MailboxFullError",
    "MaxChildrenError",
    "NameTakenError",
    "NoProc",
    "Normal",
    "NotFoundError",
    "Reply",
    "RestartChild",
    "RestartingError",
    "Shutdown",
    "StartChild",
    "StartError",
    "Supervisor",
    "SupervisorError",
    "TerminateChild",
    "ThreadActor",
    "TreeNode",
    "WhichChildren",
]
