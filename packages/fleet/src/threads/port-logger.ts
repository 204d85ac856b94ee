import type { MessagePort } from 'node:worker_threads';
import { logLevels, mayWrite, type LogFields, type Logger, type LogLevel } from '@flotilla/kube';

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Where lines go, and which: a line that the other thread discards would cost as much as a small request. */
export interface LogTarget {
  readonly port: MessagePort;
  readonly levels: ReadonlySet<LogLevel>;
}

/** The levels that the logger at the other end of the port writes. */
export function levelsOf(logger: Logger): ReadonlySet<LogLevel> {
  return new Set(logLevels.filter((level) => mayWrite(logger, level)));
}

/** Logs in the thread at the other end of the port. Each component of a thousand members has one. */
export class PortLogger implements Logger {
  readonly #target: LogTarget;
  readonly #own: LogFields;

  constructor(target: LogTarget, own: LogFields = {}) {
    this.#target = target;
    this.#own = own;
  }

  debug(message: string, fields?: LogFields): void {
    this.#post('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#post('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#post('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#post('error', message, fields);
  }

  with(fields: LogFields): Logger {
    return new PortLogger(this.#target, { ...this.#own, ...fields });
  }

  #post(level: LogLevel, message: string, fields: LogFields | undefined): void {
    const { port, levels } = this.#target;
    if (!levels.has(level)) return;
    port.postMessage({ level, message, fields: copyable({ ...this.#own, ...fields }) } satisfies Line);
  }
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
