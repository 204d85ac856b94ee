import { agentsFigure } from './agents-figure.ts';
import type { BenchContext } from '../bench-context.ts';
import {
  authorizeFigure,
  fleetIdleFigure,
  fleetStartFigure,
  informerFigure,
  storeFigure,
  largePlacementsFigure,
  ocmFigure,
  placementsFigure,
  publishedPlacementsFigure,
  runsFigure,
  workloadsFigure,
} from './process-figures.ts';
import { upFigure } from './up-figure.ts';
import { helpFigure, whyFigure } from './command-figures.ts';
import { collectFigure, namespaceFigure } from './housekeeping-figures.ts';
import { manyDefinitionsFigure, fleetDefinitionsFigure } from './definition-figures.ts';
import { envtestFigure } from './envtest-figure.ts';
import {
  createFigure,
  customCreateFigure,
  customGetFigure,
  customPutFigure,
  getFigure,
  putFigure,
} from './request-figures.ts';
import { floodFigure } from './flood-figure.ts';
import { listFigure, memoryFigure } from './size-figures.ts';
import { stallFigure } from './stall-figure.ts';
import { startFigure } from './start-figure.ts';
import { startFleetFigure } from './start-fleet-figure.ts';
import { stopFigure } from './stop-figure.ts';
import { latencyFigure, watchFigure } from './watch-figures.ts';
import { webhooksFigure } from './webhooks-figure.ts';
import { driftFigure, worksFigure } from './works-figures.ts';
import type { Measurement } from '../results/measurement.ts';
import { measurementsOf } from '../measured/measuring-process.ts';

export interface Figure {
  readonly name: string;
  readonly about: string;
  readonly run: (context: BenchContext) => Promise<Measurement[]>;
  /** Takes minutes: not measured with all others. */
  readonly isOnlyByName?: boolean;
}

/** All figures, in the order of the table. */
export const figures: readonly Figure[] = [
  { name: 'get', about: 'random ConfigMaps of 5,000', run: getFigure },
  { name: 'create', about: 'durable creates of ConfigMaps', run: createFigure },
  { name: 'put', about: 'durable replaces of ConfigMaps', run: putFigure },
  { name: 'custom-get', about: 'random custom resources of 5,000', run: customGetFigure },
  { name: 'custom-create', about: 'durable creates of custom resources', run: customCreateFigure },
  { name: 'custom-put', about: 'durable replaces of custom resources', run: customPutFigure },
  {
    name: 'definitions',
    about: '36 definitions, from the first create until all are served',
    run: fleetDefinitionsFigure,
  },
  {
    name: 'many-definitions',
    about: '1,000 definitions: time, memory, and the cost of other requests',
    run: manyDefinitionsFigure,
  },
  {
    name: 'rules',
    about: 'ten rules over an object of 50 fields, without a server',
    run: () => measurementsOf('rules.ts'),
  },
  {
    name: 'policies',
    about: 'what ten admission policies that match add to a create, in process',
    run: () => measurementsOf('policies.ts'),
  },
  {
    name: 'webhooks',
    about: 'what a mutating and a validating webhook on this machine add to a create',
    run: webhooksFigure,
  },
  { name: 'list', about: 'time to the last byte of 5,000 and 50,000', run: listFigure },
  { name: 'watch', about: '100 watches while objects are created at full rate', run: watchFigure },
  { name: 'latency', about: 'from create to event over 100 watches at 30 creates/s', run: latencyFigure },
  { name: 'memory', about: 'with 50,000 objects', run: memoryFigure },
  { name: 'informer', about: 'until an informer has 100,000 objects of 1 KB', run: informerFigure },
  { name: 'start', about: 'from starting the process to ready', run: startFigure },
  { name: 'envtest', about: 'time that a suite waits for its servers and definitions', run: envtestFigure },
  { name: 'stop', about: 'from SIGTERM to the exit, with clients that never finish', run: stopFigure },
  {
    name: 'stall',
    about: 'time that other clients wait while one sends legal, heavy requests',
    run: stallFigure,
  },
  {
    name: 'flood',
    about: 'requests of one user while another has 200 in flight',
    run: floodFigure,
  },
  { name: 'authorize', about: 'a decision with 1,000 roles and 1,000 bindings', run: authorizeFigure },
  {
    name: 'namespace',
    about: 'a namespace of 1,000 objects, from the delete until it is removed',
    run: namespaceFigure,
  },
  { name: 'collect', about: 'an owner of 10,000 objects, from the delete until all are removed', run: collectFigure },
  {
    name: 'agents',
    about: 'three agents, from their start until the hub reports them as joined',
    run: agentsFigure,
  },
  {
    name: 'scheduling',
    about: 'decisions of the scheduler on 1,000 clusters, without a server',
    run: () => measurementsOf('scheduling.ts'),
  },
  { name: 'ocm', about: 'OCM Placements over 1,000 ManagedClusters', run: ocmFigure },
  { name: 'works', about: 'Works of three objects, from create to status, over sockets', run: worksFigure },
  { name: 'drift', about: 'a change on a member, until the agent reverts it', run: driftFigure },
  { name: 'fleet-start', about: '1,000 members in one process, until all have joined', run: fleetStartFigure },
  { name: 'fleet-idle', about: 'the same while no object changes', run: fleetIdleFigure },
  {
    name: 'start-fleet',
    about: 'startFleet with 3 members in memory, of the published packages',
    run: startFleetFigure,
  },
  { name: 'up', about: 'flotilla up with 3, 100 and 1,000 members, and what a member costs', run: upFigure },
  { name: 'help', about: 'flotilla --help, from starting the process to its exit', run: helpFigure },
  { name: 'why', about: 'flotilla why over 1,000 clusters, from starting the process to its exit', run: whyFigure },
  {
    name: 'workloads',
    about: '1,000 Deployments of 3 replicas on 100 members, until all are Available',
    run: workloadsFigure,
  },
  {
    name: 'placements',
    about: 'placements on 3 and 10 members, until they are Available',
    run: placementsFigure,
  },
  {
    name: 'placements-large',
    about: 'placements on 100 of 1,000 members, and a restart with them',
    run: largePlacementsFigure,
  },
  {
    name: 'placements-published',
    about: "KubeFleet's published benchmark, 1,000 placements on 100 of 1,000 members each; only by name",
    run: publishedPlacementsFigure,
    isOnlyByName: true,
  },
  {
    name: 'runs',
    about: 'staged update runs until they succeed, a drain, and runs that wait',
    run: runsFigure,
  },
  { name: 'store', about: 'the store alone, without a server', run: storeFigure },
];

/** Figures by name, or all that do not take minutes. */
export function chosenFigures(names: readonly string[]): readonly Figure[] {
  const unknown = names.find((name) => !figures.some((figure) => figure.name === name));
  if (unknown !== undefined) {
    throw new RangeError(`unknown figure ${unknown}; choose from ${figures.map(({ name }) => name).join(', ')}`);
  }
  return names.length === 0
    ? figures.filter(({ isOnlyByName }) => isOnlyByName !== true)
    : figures.filter(({ name }) => names.includes(name));
}
