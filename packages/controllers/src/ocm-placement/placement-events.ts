/** Events about a Placement. Reasons, actions and sentences are OCM's. */
import type { OcmPlacement, PlacementDecision } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import type { Candidate, Problem } from '@flotilla/ocm';
import type { PlannedEvent } from '@flotilla/runtime';
import type { DecisionEvents } from './decision-writes.ts';

/** OCM's limit for a message. */
const maxMessage = 1000;

export function decisionEvents(placement: Readonly<OcmPlacement>, problem: Problem | undefined): DecisionEvents {
  const { namespace = '', name = '' } = placement.metadata;
  const isWarning = problem?.code === 'Warning';
  const event = (
    decision: Readonly<PlacementDecision>,
    [reason, action, verb]: readonly [string, string, string],
    type: PlannedEvent['type'] = 'Normal',
    more = '',
  ): PlannedEvent => ({
    about: placement,
    related: decision,
    type,
    reason,
    action,
    message: `Decision ${decision.metadata.name} is ${verb} with placement ${name} in namespace ${namespace}${more}`,
  });
  return {
    created: (decision) => event(decision, ['DecisionCreate', 'DecisionCreated', 'created']),
    updated: (decision) =>
      event(
        decision,
        ['DecisionUpdate', 'DecisionUpdated', 'updated'],
        isWarning ? 'Warning' : 'Normal',
        isWarning ? `: ${problem.message} in plugin ${problem.plugin}` : '',
      ),
    deleted: (decision) => event(decision, ['DecisionDelete', 'DecisionDeleted', 'deleted']),
  };
}

/** The scores of all clusters that passed the filters, in the order of their names. */
export function scoreEvents(placement: Readonly<OcmPlacement>, ranked: readonly Candidate[]): PlannedEvent[] {
  if (ranked.length === 0) return [];
  return [
    { about: placement, type: 'Normal', reason: 'ScoreUpdate', action: 'ScoreUpdated', message: scoreText(ranked) },
  ];
}

function scoreText(ranked: readonly Candidate[]): string {
  let text = '';
  for (const { row, score } of ranked.toSorted((a, b) => compareBytes(a.row.name, b.row.name))) {
    const next = `${row.name}:${score} `;
    if (text.length + next.length > maxMessage) return `${text}......`;
    text += next;
  }
  return text;
}
