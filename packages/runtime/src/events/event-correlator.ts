/**
 * Limits events: a repeated event raises the count of the same object, many similar ones become one, and a source with too many
 * events about one object is dropped for a while. The limits are client-go's.
 */
import { formatTime, LruCache } from '@flotilla/kube';
import { TokenBucket } from '../queue/token-bucket.ts';
import type { CoreEvent } from './core-event.ts';

const rememberedKeys = 4096;

/** For one source and one object: a burst, then one event in five minutes. */
const spamBurst = 25;
const spamPerSecond = 1 / 300;

/** This many different messages for the same reason within ten minutes become one event. */
const similarEvents = 10;
const similarWithinMs = 600_000;

export type Correlated =
  | { readonly action: 'create'; readonly event: CoreEvent }
  /** `event` is to be created if it no longer exists. */
  | { readonly action: 'count'; readonly event: CoreEvent }
  | { readonly action: 'drop' };

interface Observed {
  readonly name: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

interface Similar {
  /** At most `similarEvents`. */
  readonly messages: string[];
  lastAt: number;
}

export class EventCorrelator {
  readonly #observed = new LruCache<Observed>(rememberedKeys);
  readonly #similar = new LruCache<Similar>(rememberedKeys);
  readonly #buckets = new LruCache<TokenBucket>(rememberedKeys);

  correlate(event: CoreEvent, nowMs: number): Correlated {
    const about = textOf(event);
    const { event: combined, key } = this.#combine(event, `${about}${separator}${event.reason}`, nowMs);
    const counted = this.#count(combined, key, nowMs);
    if (!this.#bucketOf(about, nowMs).tryTake(nowMs)) return { action: 'drop' };
    return { action: counted.count > 1 ? 'count' : 'create', event: counted };
  }

  /** Combines events that differ only in their message. Like client-go's, such an event names its source, but no reporting component. */
  #combine(event: CoreEvent, group: string, nowMs: number): { readonly event: CoreEvent; readonly key: string } {
    const known = this.#similar.get(group);
    const similar =
      known !== undefined && nowMs - known.lastAt <= similarWithinMs
        ? known
        : { messages: [event.message], lastAt: nowMs };
    similar.lastAt = nowMs;
    this.#similar.set(group, similar);
    const { messages } = similar;
    if (messages.length < similarEvents && !messages.includes(event.message)) messages.push(event.message);
    if (messages.length < similarEvents) return { event, key: `${group}${separator}${event.message}` };
    const message = `(combined from similar events): ${event.message}`;
    return { event: { ...event, message, reportingComponent: '' }, key: group };
  }

  #count(event: CoreEvent, key: string, nowMs: number): CoreEvent {
    const before = this.#observed.get(key);
    const counted: CoreEvent =
      before === undefined
        ? event
        : {
            ...event,
            metadata: { ...event.metadata, name: before.name },
            firstTimestamp: before.firstTimestamp,
            lastTimestamp: formatTime(new Date(nowMs)),
            count: before.count + 1,
          };
    const { metadata, firstTimestamp, count } = counted;
    this.#observed.set(key, { name: metadata.name ?? '', firstTimestamp, count });
    return counted;
  }

  /** For one source, object and type. */
  #bucketOf(key: string, nowMs: number): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(spamPerSecond, spamBurst, nowMs);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** Only messages may have it, and they are the last part of a key. */
const separator = '\0';

/** Source, object and type of an event. */
function textOf({ source, involvedObject, type }: CoreEvent): string {
  const { apiVersion, kind, namespace = '', name, uid = '' } = involvedObject;
  return [source.component, apiVersion, kind, namespace, name, uid, type].join(separator);
}
