import { withDatedCondition, type Condition } from '@flotilla/api';

/** What a condition says now; since when is found out when it is put beside the others. */
export interface Statement {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
}

/** API servers refuse more than 32,768 characters, and nobody reads as many: member clusters write these errors. */
const maxMessage = 4096;

/** The same conditions with this statement among them; the time moves only when the status changes. */
export function withStatement(conditions: readonly Condition[], statement: Statement, now: string): Condition[] {
  return withDatedCondition(conditions, written(statement, now));
}

/** In the order of the wire; a generation of 0 is left out, as Go leaves it out. */
export function written(statement: Statement, lastTransitionTime: string): Condition {
  const { type, status, observedGeneration, reason, message } = statement;
  return {
    type,
    status,
    ...(observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime,
    reason,
    message: message.length <= maxMessage ? message : `${message.slice(0, maxMessage)}…`,
  };
}
