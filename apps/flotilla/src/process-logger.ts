import { lineLogger, type Logger, type LogLevel } from '@flotilla/kube';

/** Logs to standard error: as text on a terminal, as JSON otherwise. */
export function processLogger(level: LogLevel): Logger {
  return lineLogger({
    write: (line) => process.stderr.write(line),
    now: () => new Date(),
    form: process.stderr.isTTY ? 'text' : 'json',
    level,
  });
}
