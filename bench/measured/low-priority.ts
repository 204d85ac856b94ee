import { fork, type ChildProcess } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';

const niceness = 5;

/**
 * Starts a program that makes load while another process measures. The machine has few cores: the load may delay the measuring process only
 * through the server. V8 runs on one thread here, because a priority is that of a thread.
 */
export function forkAtLowPriority(file: string, argument: object): ChildProcess {
  const execArgv = [...process.execArgv, '--single-threaded'];
  const child = fork(file, [JSON.stringify(argument)], { serialization: 'advanced', execArgv });
  if (child.pid !== undefined) setPriority(child.pid, getPriority() + niceness);
  return child;
}
