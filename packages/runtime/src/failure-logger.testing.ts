import { silentLogger, type Logger } from '@flotilla/kube';

/** Collects logged errors. An informer only logs what a listener throws, even a failed assertion. */
export function failureLogger(failures: unknown[]): Logger {
  const logger: Logger = {
    ...silentLogger,
    error: (message, fields) => void failures.push(fields?.['error'] ?? message),
    with: () => logger,
  };
  return logger;
}
