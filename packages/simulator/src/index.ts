export { defaultBehaviour, outcomeLabel, outcomes } from './behaviour/workload-behaviour.ts';
export type { Outcome, OutcomeRule, PodDelays, WorkloadBehaviour } from './behaviour/workload-behaviour.ts';
export { installNodes } from './nodes/install-nodes.ts';
export { defaultNodes, type NodeShape, type NodeTaint } from './nodes/node-shape.ts';
export { startSimulator, type RunningSimulator, type SimulatorOptions } from './start-simulator.ts';
export { installStorageClass } from './volume-claims/install-storage-class.ts';
