export type { Cache, Controller, Selection, Watched } from './controller.ts';
export { nothingToDo, type Plan, type PlannedEvent, type Write } from './plan.ts';
