import type { ApiRequest, User } from '@flotilla/kube';
import type { RequestInfo } from '../request/request-info.ts';
import { flowNamespaceOf } from './classifier.ts';
import { FlowStats } from './flow-stats.ts';
import type { FlowSchema } from './objects/flow-objects.ts';
import type { PriorityLevel } from './priority-level.ts';
import { dealHand, flowHash } from './queuing/shuffle-sharding.ts';

/** Hands of so many flows are kept. Computing one takes some microseconds, and happens only if requests wait. */
const maxHands = 1024;

/** A schema with its level: what requests are classified as. */
export class Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly stats: FlowStats;
  readonly rules: FlowSchema['rules'];
  #hands = new Map<string, readonly number[]>();
  #handsOf = '';

  constructor(schema: FlowSchema, level: PriorityLevel, stats: FlowStats) {
    this.schema = schema;
    this.rules = schema.rules;
    this.level = level;
    this.stats = stats;
  }

  distinguisherOf(user: User, info: RequestInfo): string {
    switch (this.schema.distinguisher) {
      case 'ByUser':
        return user.name;
      case 'ByNamespace':
        return info.isResource ? flowNamespaceOf(info) : '';
      case undefined:
        return '';
    }
  }

  /** The queues of requests with this distinguisher. */
  handOf(distinguisher: string): readonly number[] {
    const { queuing } = this.level.spec;
    if (queuing === undefined) return [];
    const deck = `${queuing.queues}/${queuing.handSize}`;
    if (deck !== this.#handsOf || this.#hands.size >= maxHands) {
      this.#hands = new Map();
      this.#handsOf = deck;
    }
    let hand = this.#hands.get(distinguisher);
    if (hand === undefined) {
      hand = dealHand(flowHash(this.schema.name, distinguisher), queuing);
      this.#hands.set(distinguisher, hand);
    }
    return hand;
  }
}

/** What is known of a request when it asks for a seat. */
export interface Asking {
  readonly flow: Flow;
  readonly user: User;
  readonly info: RequestInfo;
  readonly request: Pick<ApiRequest, 'signal' | 'isGone' | 'method' | 'path'>;
  readonly seats: number;
  /** The caller for the throttle; undefined in process. */
  readonly caller: string | undefined;
  /** How long it may wait in a queue. */
  readonly waitMs: number;
}
