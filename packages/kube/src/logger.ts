export type LogFields = Readonly<Record<string, unknown>>;

/** Messages are constant; values are fields. `with` binds fields, so that every line names its component and object. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger with these fields on every line. */
  with(fields: LogFields): Logger;
}

const discard = (): void => {};

/** Discards everything. */
export const silentLogger: Logger = {
  debug: discard,
  info: discard,
  warn: discard,
  error: discard,
  with: () => silentLogger,
};

/** False if the logger discards lines of this level: for callers that pay for each line. */
export function mayWrite(logger: Logger, level: LogLevel): boolean {
  return logger[level] !== discard;
}

/** In ascending order of severity. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LineLoggerOptions {
  /** Writes one line, including its newline. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
  /** JSON for programs, text for people. */
  readonly form: 'json' | 'text';
  /** The minimum level to log. */
  readonly level?: LogLevel;
}

/** Writes one line for each message. */
export function lineLogger(options: LineLoggerOptions): Logger {
  return bound(options, {});
}

function bound(options: LineLoggerOptions, own: LogFields): Logger {
  const { write, now, form, level: least = 'info' } = options;
  const print = form === 'json' ? jsonLine : textLine;
  const at =
    (level: LogLevel): Logger['info'] =>
    (message, fields) =>
      write(print(now(), level, message, fields === undefined ? own : { ...own, ...fields }));
  const from = (level: LogLevel): Logger['info'] =>
    logLevels.indexOf(level) < logLevels.indexOf(least) ? discard : at(level);
  return {
    debug: from('debug'),
    info: from('info'),
    warn: from('warn'),
    error: from('error'),
    with: (fields) => bound(options, { ...own, ...fields }),
  };
}

/** Uses the keys of klog, so that log collectors for Kubernetes understand the lines. */
function jsonLine(now: Date, level: LogLevel, msg: string, fields: LogFields): string {
  const line: Record<string, unknown> = { ts: now.toISOString(), level, msg };
  for (const name in fields) line[name] = plainValue(fields[name]);
  return `${JSON.stringify(line)}\n`;
}

/** `09:28:01 WARN slow request  path=/api seconds=1.2` */
function textLine(now: Date, level: LogLevel, message: string, fields: LogFields): string {
  const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${textOf(value)}`);
  const time = now.toISOString().slice(11, 19);
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${facts.length > 0 ? ' ' : ''}${facts.join('')}\n`;
}

function textOf(value: unknown): string {
  const plain = plainValue(value);
  const text = typeof plain === 'string' ? plain : (JSON.stringify(plain) ?? 'undefined');
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

/** Errors and bigints have no JSON form. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Error ? errorText(value) : value;
}

/** The stack of an error and of its causes. */
function errorText(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by: ${errorText(error.cause)}` : own;
}

/** What a caught value says; anything can be thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
