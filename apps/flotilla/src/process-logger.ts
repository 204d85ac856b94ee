import { lineLogger, type Logger, type LogLevel } from '@flotilla/kube';

/** Lines on standard error: for eyes where somebody looks on, as JSON where something collects them. */
export function processLogger(level: LogLevel): Logger {
  return lineLogger({
    write: (line) => process.stderr.write(line),
    now: () => new Date(),
    form: process.stderr.isTTY ? 'text' : 'json',
    level,
  });
}
