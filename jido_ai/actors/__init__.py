"""The actor runtime: OTP's supervision on asyncio. It does not depend on language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.actors.actor import Actor as Actor
    from jido_ai.actors.actor import Continue as Continue
    from jido_ai.actors.actor import Reply as Reply
    from jido_ai.actors.child_spec import Backoff as Backoff
    from jido_ai.actors.child_spec import ChildSpec as ChildSpec
    from jido_ai.actors.children import ChildCounts as ChildCounts
    from jido_ai.actors.children import ChildInfo as ChildInfo
    from jido_ai.actors.children import CountChildren as CountChildren
    from jido_ai.actors.children import DeleteChild as DeleteChild
    from jido_ai.actors.children import RestartChild as RestartChild
    from jido_ai.actors.children import StartChild as StartChild
    from jido_ai.actors.children import TerminateChild as TerminateChild
    from jido_ai.actors.children import WhichChildren as WhichChildren
    from jido_ai.actors.dynamic_supervisor import DynamicSupervisor as DynamicSupervisor
    from jido_ai.actors.dynamic_supervisor import DynamicSupervisorRef as DynamicSupervisorRef
    from jido_ai.actors.exit_reason import Crashed as Crashed
    from jido_ai.actors.exit_reason import ExitReason as ExitReason
    from jido_ai.actors.exit_reason import IdleTimeout as IdleTimeout
    from jido_ai.actors.exit_reason import Killed as Killed
    from jido_ai.actors.exit_reason import NoProc as NoProc
    from jido_ai.actors.exit_reason import Normal as Normal
    from jido_ai.actors.exit_reason import Shutdown as Shutdown
    from jido_ai.actors.mailbox import Bounded as Bounded
    from jido_ai.actors.outcome import Exited as Exited
    from jido_ai.actors.outcome import Ok as Ok
    from jido_ai.actors.partition_supervisor import PartitionRef as PartitionRef
    from jido_ai.actors.partition_supervisor import PartitionSupervisor as PartitionSupervisor
    from jido_ai.actors.ref import ActorRef as ActorRef
    from jido_ai.actors.ref import Ask as Ask
    from jido_ai.actors.ref import Ignored as Ignored
    from jido_ai.actors.registry import Registry as Registry
    from jido_ai.actors.registry import RegistryRef as RegistryRef
    from jido_ai.actors.registry import via as via
    from jido_ai.actors.relations import Down as Down
    from jido_ai.actors.relations import Exit as Exit
    from jido_ai.actors.supervisor import Supervisor as Supervisor
    from jido_ai.actors.system import ActorSystem as ActorSystem
    from jido_ai.actors.system import TreeNode as TreeNode
    from jido_ai.actors.task import Task as Task
    from jido_ai.actors.task_stream import TaskStream as TaskStream
    from jido_ai.actors.task_supervisor import TaskSupervisor as TaskSupervisor
    from jido_ai.actors.task_supervisor import TaskSupervisorRef as TaskSupervisorRef
    from jido_ai.actors.thread_actor import ThreadActor as ThreadActor
    from jido_ai.actors.thread_actor import ask_from_thread as ask_from_thread
    from jido_ai.errors import ActorDeadError as ActorDeadError
    from jido_ai.errors import ActorError as ActorError
    from jido_ai.errors import AlreadyPresentError as AlreadyPresentError
    from jido_ai.errors import AlreadyRegisteredError as AlreadyRegisteredError
    from jido_ai.errors import AlreadyStartedError as AlreadyStartedError
    from jido_ai.errors import AskTimeoutError as AskTimeoutError
    from jido_ai.errors import CallCycleError as CallCycleError
    from jido_ai.errors import CallError as CallError
    from jido_ai.errors import ChildRunningError as ChildRunningError
    from jido_ai.errors import ConfigurationError as ConfigurationError
    from jido_ai.errors import Ignore as Ignore
    from jido_ai.errors import JidoError as JidoError
    from jido_ai.errors import MailboxFullError as MailboxFullError
    from jido_ai.errors import MaxChildrenError as MaxChildrenError
    from jido_ai.errors import NameTakenError as NameTakenError
    from jido_ai.errors import NotFoundError as NotFoundError
    from jido_ai.errors import RestartingError as RestartingError
    from jido_ai.errors import StartError as StartError
    from jido_ai.errors import SupervisorError as SupervisorError
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
