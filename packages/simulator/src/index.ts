export { furnishNodes } from './nodes/furnish-nodes.ts';
export { startSimulator, type RunningSimulator, type SimulatorOptions } from './start-simulator.ts';
