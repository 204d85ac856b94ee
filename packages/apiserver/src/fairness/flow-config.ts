import type { User } from '@flotilla/kube';
import type { RequestInfo } from '../request/request-info.ts';
import type { Store, StoreEvent } from '../store/store.ts';
import { Classifier } from './classifier.ts';
import { Flow } from './flow.ts';
import { FlowLevels, type FlowLevelsOptions } from './flow-levels.ts';
import { FlowStats } from './flow-stats.ts';
import { defaultFlowSchemas } from './objects/default-flow-schemas.ts';
import { defaultPriorityLevels } from './objects/default-priority-levels.ts';
import {
  byPrecedence,
  catchAllName,
  exemptName,
  flowSchemaOf,
  levelSpecOf,
  type FlowSchema,
  type LevelSpec,
} from './objects/flow-objects.ts';
import { StoredFlowObjects } from './objects/stored-flow-objects.ts';

export interface FlowConfigOptions extends FlowLevelsOptions {
  readonly store: Store;
  /** Called when an object has changed; without an event, any of them. */
  readonly onChanged: (event: StoreEvent | undefined) => void;
}

/**
 * The flows that the stored objects define. They are read when a request needs them, and again after a change. A server with
 * requests of `system:masters` only parses none of them.
 */
export class FlowConfig {
  readonly levels: FlowLevels;
  readonly #objects: StoredFlowObjects;
  readonly #stats = new Map<string, FlowStats>();
  #classifier: Classifier<Flow> | undefined;
  #exempt: Flow | undefined;
  #isFollowing = false;
  readonly #onChanged: FlowConfigOptions['onChanged'];

  constructor(options: FlowConfigOptions) {
    this.#onChanged = options.onChanged;
    this.#objects = new StoredFlowObjects(options.store);
    this.levels = new FlowLevels(options);
  }

  /** The flow of `system:masters`: no other schema can come before it, and no one can change its rules. */
  exempt(): Flow {
    return (this.#exempt ??= this.#readExempt());
  }

  flowOf(user: User, info: RequestInfo, verb: string): Flow {
    return (this.#classifier ??= this.#read()).classify(user, info, verb);
  }

  /** Counts of requests, by level and schema. */
  stats(): Iterable<FlowStats> {
    return this.#stats.values();
  }

  /** The stored schemas. */
  schemas(): readonly FlowSchema[] {
    return this.#objects.schemas();
  }

  /** Reads all objects, if no request has needed them yet. */
  load(): void {
    this.#classifier ??= this.#read();
  }

  stop(): void {
    this.#objects.stop();
    this.levels.stop();
  }

  #readExempt(): Flow {
    this.#follow();
    const uids = this.#objects.uidsOf(exemptName, exemptName);
    const level = this.levels.get(exemptName);
    if (level) level.spec = { ...level.spec, uid: uids.level };
    else this.levels.configure([{ ...exemptLevel, uid: uids.level }]);
    return this.#flowOf({ ...exemptSchema, uid: uids.schema });
  }

  #read(): Classifier<Flow> {
    this.#follow();
    const specs = withMissing(this.#objects.levels(), [exemptLevel, catchAllLevel]);
    this.levels.configure(specs);
    const stored = this.#objects.schemas().filter(({ level }) => this.levels.get(level) !== undefined);
    const flows = withMissing(stored, [exemptSchema, catchAllSchema])
      .sort(byPrecedence)
      .map((schema) => this.#flowOf(schema));
    this.#exempt = flows.find(({ schema }) => schema.name === exemptName);
    return new Classifier(flows, flows.findLast(({ schema }) => schema.name === catchAllName) ?? this.exempt());
  }

  #flowOf(schema: FlowSchema): Flow {
    const level = this.levels.get(schema.level);
    if (level === undefined) throw new Error(`no priority level ${schema.level}`);
    const key = `${schema.level}\0${schema.name}`;
    let stats = this.#stats.get(key);
    if (stats === undefined) this.#stats.set(key, (stats = new FlowStats(schema.level, schema.name)));
    return new Flow(schema, level, stats);
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#objects.follow(this.#changed);
  }

  readonly #changed = (event: StoreEvent | undefined): void => {
    this.#classifier = undefined;
    this.#exempt = undefined;
    this.#onChanged(event);
  };
}

function named<T>(objects: readonly T[], name: string, nameOf: (object: T) => string): T {
  const found = objects.find((object) => nameOf(object) === name);
  if (found === undefined) throw new Error(`no default object ${name}`);
  return found;
}

/** The two schemas and levels that a server has even while their objects are deleted. */
const schemas = defaultFlowSchemas.map(({ object }) => flowSchemaOf(object, ''));
const specs = defaultPriorityLevels.map(({ object }) => levelSpecOf(object, ''));
const exemptSchema = named(schemas, exemptName, ({ name }) => name);
const catchAllSchema = named(schemas, catchAllName, ({ name }) => name);
const exemptLevel = named(specs, exemptName, ({ name }) => name);
const catchAllLevel = named(specs, catchAllName, ({ name }) => name);

function withMissing<T extends Pick<LevelSpec | FlowSchema, 'name'>>(
  stored: readonly T[],
  mandatory: readonly T[],
): T[] {
  return [...stored, ...mandatory.filter(({ name }) => !stored.some((object) => object.name === name))];
}
