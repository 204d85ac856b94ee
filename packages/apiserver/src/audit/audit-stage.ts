/** Moments of a request that have an event of their own. Only long-running requests, such as watches, have ResponseStarted. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

export type AuditStage = (typeof auditStages)[number];
