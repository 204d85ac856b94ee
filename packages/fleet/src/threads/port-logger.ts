import type { MessagePort } from 'node:worker_threads';
import { logLevels, type LogFields, type Logger, type LogLevel } from '@flotilla/kube';

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Logs in the thread at the other end of the port. */
export function portLogger(port: MessagePort, own: LogFields = {}): Logger {
  const at =
    (level: LogLevel): Logger['info'] =>
    (message, fields) =>
      port.postMessage({ level, message, fields: copyable({ ...own, ...fields }) } satisfies Line);
  const [debug, info, warn, error] = logLevels.map(at) as [
    Logger['info'],
    Logger['info'],
    Logger['info'],
    Logger['info'],
  ];
  return { debug, info, warn, error, with: (fields) => portLogger(port, { ...own, ...fields }) };
}

/** Values that threads cannot pass to each other become text. */
function copyable(fields: LogFields): LogFields {
  const isCopyable = (value: unknown): boolean => typeof value !== 'function' && typeof value !== 'symbol';
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isCopyable(value) ? value : String(value)]),
  );
}

export function logFromPort(port: MessagePort, logger: Logger): void {
  port.on('message', ({ level, message, fields }: Line) => logger[level](message, fields));
}
