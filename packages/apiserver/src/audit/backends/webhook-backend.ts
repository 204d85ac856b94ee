import { pause } from '@flotilla/timing';
import { eventJson, type AuditEvent } from '../audit-event.ts';
import { lostEvents } from '../audit-metrics.ts';
import type { AuditMode, MakeBackend } from './audit-backend.ts';
import { BatchedEvents, type BatchOptions } from './batched-events.ts';

export interface WebhookBackendOptions {
  /** Sends an EventList as JSON. Rejects unless the receiver has accepted it. */
  readonly post: (body: Uint8Array) => Promise<void>;
  readonly mode: AuditMode;
  /** In the mode `batch`. */
  readonly batch: Omit<BatchOptions, 'maxInFlight'>;
  /** Before the second attempt. */
  readonly initialBackoffMs: number;
}

/** Further batches wait in the buffer, which is bounded. */
const maxInFlight = 4;

/** Those of Kubernetes' webhooks. */
const attempts = 5;
const backoffFactor = 1.5;
const backoffJitter = 0.2;

/** Sends events to a receiver over HTTP, and tries again after any failure. */
export function webhookBackend({ post, mode, batch, initialBackoffMs }: WebhookBackendOptions): MakeBackend {
  return ({ clock, random, logger, metrics }) => {
    const lost = lostEvents(metrics, 'webhook');
    const stopping = new AbortController();
    const failed = (error: unknown, events: number): void => {
      lost.add(events);
      logger.error('audit events lost: the webhook does not accept them', { events, error });
    };
    /** Returns whether the receiver accepted the events. */
    const send = async (events: readonly AuditEvent[]): Promise<boolean> => {
      const body = Buffer.from(listJson(events));
      let delayMs = initialBackoffMs;
      for (let attempt = 1; ; attempt++) {
        try {
          await post(body);
          return true;
        } catch (error) {
          if (attempt === attempts || stopping.signal.aborted) {
            failed(error, events.length);
            return false;
          }
          await pause(clock, delayMs * (1 + backoffJitter * random()), stopping.signal);
          delayMs *= backoffFactor;
        }
      }
    };
    if (mode === 'batch') {
      const batches = new BatchedEvents(
        { ...batch, maxInFlight },
        {
          clock,
          send: async (events) => void (await send(events)),
          lost: () => failed(new Error('audit buffer queue blocked'), 1),
        },
      );
      return {
        write: (event) => {
          batches.add(event);
          return true;
        },
        stop: async () => {
          stopping.abort();
          await batches.stop();
        },
      };
    }
    return {
      write: async (event) => (await send([event])) || mode === 'blocking',
      stop: () => {
        stopping.abort();
        return Promise.resolve();
      },
    };
  };
}

function listJson(events: readonly AuditEvent[]): string {
  return `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events.map(eventJson).join(',')}]}\n`;
}
