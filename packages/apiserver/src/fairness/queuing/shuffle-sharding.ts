import { createHash } from 'node:crypto';
import type { Queuing } from '../objects/flow-objects.ts';

/** The entropy of a flow: 64 bits of a digest of its schema and its distinguisher. */
export function flowHash(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(schema).update('\0').update(distinguisher).digest().readBigUInt64LE(0);
}

/**
 * The queues that a flow may use. Two flows rarely have the same hand, so that a flow with many requests leaves every other
 * one a queue of its own. Deals like Kubernetes, one card after the other from a deck that shrinks.
 */
export function dealHand(hash: bigint, { queues, handSize }: Pick<Queuing, 'queues' | 'handSize'>): readonly number[] {
  const hand: number[] = [];
  const drawn: number[] = [];
  let rest = hash;
  for (let index = 0; index < handSize; index++) {
    const cards = BigInt(queues - index);
    drawn.push(Number(rest % cards));
    rest /= cards;
  }
  for (const [index, card] of drawn.entries()) {
    let queue = card;
    // Cards that were drawn before are no longer in the deck.
    for (let earlier = index - 1; earlier >= 0; earlier--) if (queue >= (drawn[earlier] ?? 0)) queue++;
    hand.push(queue);
  }
  return hand;
}
