export { installNodes } from './nodes/install-nodes.ts';
export { startSimulator, type RunningSimulator, type SimulatorOptions } from './start-simulator.ts';
