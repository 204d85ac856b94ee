export type { Cache, Controller, Selection, Watched } from './controller.ts';
export { dispositionOf, InvariantError, NotYet, UserError, type Disposition } from './failures.ts';
export { InformerSet, type HeldInformer, type InformerSetOptions, type Interest } from './informer/informer-set.ts';
export type { Informer } from './informer/informer.ts';
export { indexByLabel, type Indexes } from './informer/label-index.ts';
export { nothingToDo, type Plan, type PlannedEvent, type Write } from './plan.ts';
export { QueueMetrics } from './queue/queue-metrics.ts';
export type { RetryLimits } from './queue/retry-limiter.ts';
export { WorkQueue, type Priority, type QueueObserver, type WorkQueueOptions } from './queue/work-queue.ts';
