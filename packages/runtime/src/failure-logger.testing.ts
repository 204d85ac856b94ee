import { silentLogger, type Logger } from '@flotilla/kube';

/** Keeps the errors that were logged: whoever listens to an informer is not heard otherwise when an assertion fails. */
export function failureLogger(failures: unknown[]): Logger {
  const logger: Logger = {
    ...silentLogger,
    error: (message, fields) => void failures.push(fields?.['error'] ?? message),
    with: () => logger,
  };
  return logger;
}
