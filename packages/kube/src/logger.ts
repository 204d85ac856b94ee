export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Messages are constant; facts are fields. Given from outside and bound to what it is about, so that every line says whose it
 * is.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger, with these fields on every line. */
  with(fields: LogFields): Logger;
}

/** For those who want to hear nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLogger,
};
