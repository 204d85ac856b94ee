import { isBelow } from '../audit-level.ts';
import { eventJson, truncatedKey, type AuditEvent } from '../audit-event.ts';
import { lostEvents } from '../audit-metrics.ts';
import type { MakeBackend } from './audit-backend.ts';

/** Kubernetes counts the newline of an event. */
const newlineBytes = 1;

/**
 * A backend whose events have at most `maxEventBytes`. A larger one is written without its bodies, and has an annotation that says so. One
 * that is still too large is lost.
 */
export function truncatingBackend(make: MakeBackend, maxEventBytes: number): MakeBackend {
  const isTooLarge = (event: AuditEvent): boolean => Buffer.byteLength(eventJson(event)) + newlineBytes > maxEventBytes;
  return (dependencies) => {
    const { metrics, logger } = dependencies;
    const backend = make(dependencies);
    const lost = lostEvents(metrics, 'truncate');
    return {
      write: (event) => {
        if (!isTooLarge(event)) return backend.write(event);
        const rest = isBelow(event.level, 'Request') ? event : truncated(event);
        if (!isTooLarge(rest)) return backend.write(rest);
        lost.add();
        logger.error('audit event lost: it is too large without bodies, too', {
          auditId: event.auditId,
          maxEventBytes,
        });
        return true;
      },
      stop: () => backend.stop(),
    };
  };
}

function truncated(event: AuditEvent): AuditEvent {
  const annotations = new Map([...event.annotations, [truncatedKey, 'true']]);
  return { ...event, requestObject: undefined, responseObject: undefined, annotations };
}
