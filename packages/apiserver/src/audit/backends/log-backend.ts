import { eventJson, eventText, type AuditEvent } from '../audit-event.ts';
import { lostEvents } from '../audit-metrics.ts';
import type { AuditMode, MakeBackend } from './audit-backend.ts';
import { BatchedEvents } from './batched-events.ts';

/** Text that is only ever appended to. */
export interface LogOutput {
  /** Returns when the operating system has the text. */
  readonly write: (text: string) => void;
  readonly append: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const logFormats = ['json', 'legacy'] as const;

export interface LogBackendOptions {
  readonly open: () => LogOutput;
  readonly format: (typeof logFormats)[number];
  readonly mode: AuditMode;
  /** In the mode `batch`: events that may wait. */
  readonly maxBuffered: number;
}

/** Lines of a batch: larger writes would make the loop wait for their encoding. */
const maxLines = 200;

/** Writes each event as a line of a log. */
export function logBackend({ open, format, mode, maxBuffered }: LogBackendOptions): MakeBackend {
  return ({ clock, logger, metrics }) => {
    const output = open();
    const lost = lostEvents(metrics, 'log');
    const lineOf = (event: AuditEvent): string => `${format === 'json' ? eventJson(event) : eventText(event)}\n`;
    const failed = (error: unknown, events: number): void => {
      lost.add(events);
      logger.error('audit events lost: the log cannot be written', { events, error });
    };
    if (mode === 'batch') {
      const batches = new BatchedEvents(
        { maxBuffered, maxBatch: maxLines, maxWaitMs: 0, maxInFlight: 1 },
        {
          clock,
          send: (batch) =>
            output.append(batch.map(lineOf).join('')).catch((error: unknown) => failed(error, batch.length)),
          lost: () => failed(new Error('audit buffer queue blocked'), 1),
        },
      );
      return {
        write: (event) => {
          batches.add(event);
          return true;
        },
        stop: async () => {
          await batches.stop();
          await output.close();
        },
      };
    }
    return {
      write: (event) => {
        try {
          output.write(lineOf(event));
          return true;
        } catch (error) {
          failed(error, 1);
          return mode === 'blocking';
        }
      },
      stop: () => output.close(),
    };
  };
}
