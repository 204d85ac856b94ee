/**
 * Keeps the selections of all placements current. A change of an object selects anew for the placements that it concerns; a
 * selection with other content wakes its placement.
 */
import type { Placement, PlacementFamily, ResourceSelector } from '@flotilla/api';
import { errorMessage, jsonEquals, keyText, once, type Kind, type ObjectKey } from '@flotilla/kube';
import { WorkLoop, type ObjectChange, type Source } from '@flotilla/runtime';
import { runSteps, type Steps } from '@flotilla/timing';
import { digestObjects, type DigestedObjects } from './digest-objects.ts';
import { HubKinds, type KindsForPlacement, type SelectionDependencies } from './hub-kinds.ts';
import { InterestIndex } from './interest-index.ts';
import { interestsOf } from './interests.ts';
import { isSameContent } from './same-content.ts';
import { DigestedSelection, type ContentReader } from './selected-resources.ts';
import { ownLabels, SelectorProblem } from './selecting-placement.ts';
import { selectObjects } from './select-objects.ts';
import type { Selection, SelectionProblem, Selections } from './selection.ts';

/** A placement as `current` saw it last. Another one takes its place when its selectors change. */
interface Entry {
  readonly key: ObjectKey;
  readonly selectors: readonly ResourceSelector[];
  placedKinds: ReadonlySet<string>;
  selection: Selection;
  /** Whether the last try found that a kind cannot be read yet. */
  isWaiting: boolean;
  /** Whether a reader found other content than that of the selection. */
  isMissed: boolean;
  /** Whether something has changed since the last selection began, or that selection is under way. */
  isStale: boolean;
  isSelecting: boolean;
  /** Whether the placement is to wake after the next selection, even if nothing changed. */
  isAwaited: boolean;
  /** How long the last selection took. */
  durationMs: number;
}

/** Discovery and slow informers hold up only some placements. */
const workers = 8;

/** Selections that take less begin at once after a change. */
const longMs = 10;
const maxWaitMs = 1_000;

export class PlacementSelections implements Selections {
  readonly #options: SelectionDependencies;
  readonly #kinds: HubKinds;
  readonly #index = new InterestIndex();
  readonly #entries = new Map<string, Entry>();
  readonly #loop: WorkLoop;
  readonly #wakes = { cluster: new Set<Wake>(), namespaced: new Set<Wake>() };

  constructor(options: SelectionDependencies) {
    const { clock, turns, logger, metrics } = options;
    this.#options = options;
    this.#loop = new WorkLoop({
      // KubeFleet's controller that finds the placements of a changed object.
      name: 'resource-change-controller',
      metricsPrefix: 'fleet_workload',
      clock,
      turns,
      logger: logger.with({ controller: 'resource-change-controller' }),
      metrics,
      workers,
      turn: (key) => this.#select(key),
    });
    this.#kinds = new HubKinds({
      ...options,
      objectChanged: (kind, change) => this.#objectChanged(kind, change),
      kindChanged: (kind) => this.#kindChanged(kind),
      groupChanged: (group) =>
        this.#addWhere(({ selectors }) => selectors.some((selector) => selector.group === group)),
      contentChanged: (namespace) => this.#addAll(this.#index.inNamespace(namespace)),
    });
    this.#loop.start();
  }

  readonly current = (placement: Readonly<Placement>): Selection => {
    const { metadata, spec, status } = placement;
    const { namespace, name = '' } = metadata;
    const key = namespace === undefined ? { name } : { namespace, name };
    const known = this.#entries.get(keyText(key));
    const selectors = spec.resourceSelectors;
    if (known !== undefined && jsonEquals(known.selectors as ResourceSelector[], selectors)) return known.selection;
    const selection = { pending: 'the resources are being selected' };
    const placedKinds = kindsIn(status?.selectedResources ?? []);
    this.#entries.set(keyText(key), {
      key,
      selectors,
      placedKinds,
      selection,
      isWaiting: false,
      isMissed: false,
      isStale: true,
      isSelecting: false,
      isAwaited: false,
      durationMs: 0,
    });
    this.#loop.add(keyText(key));
    return selection;
  };

  readonly isCurrent = (placement: ObjectKey): boolean => {
    const entry = this.#entries.get(keyText(placement));
    if (entry !== undefined && !entry.isStale && !entry.isSelecting) return true;
    if (entry !== undefined) entry.isAwaited = true;
    return false;
  };

  readonly forget = (placement: ObjectKey): void => {
    const text = keyText(placement);
    if (!this.#entries.delete(text)) return;
    this.#index.delete(text);
    this.#kinds.release(text);
  };

  readonly source = ({ placement }: PlacementFamily): Source => {
    const wakes = placement.namespaced ? this.#wakes.namespaced : this.#wakes.cluster;
    return {
      subscribe: (wake) => {
        const added: Wake = (key) => wake(key);
        wakes.add(added);
        return () => wakes.delete(added);
      },
      isAtRest: () => this.#loop.isAtRest && this.#kinds.isAtRest,
      stop: () => this.stop(),
    };
  };

  readonly stop = once(async (): Promise<void> => {
    await this.#loop.stop();
    await this.#kinds.stop();
  });

  async #select(text: string): Promise<number | undefined> {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    try {
      return await this.#selectFor(text, entry);
    } catch (error) {
      if ('pending' in entry.selection) entry.selection = { pending: errorMessage(error) };
      throw error;
    }
  }

  async #selectFor(text: string, entry: Entry): Promise<number | undefined> {
    const kinds = await this.#kinds.use(text, entry);
    if (this.#isReplaced(text, entry)) return undefined;
    const { missing, retryMs } = kinds;
    entry.isWaiting = missing !== undefined;
    // Before anything is read, so that no change is missed.
    this.#index.set(text, interestsOf(entry, kinds.objects.findKind, this.#options.rules));
    if (missing === undefined) {
      const { clock, turns } = this.#options;
      const startedAt = clock.elapsed();
      entry.isStale = false;
      entry.isSelecting = true;
      const result = await runSteps(turns, this.#evaluate(text, entry, kinds)).finally(() => {
        entry.isSelecting = false;
      });
      if (this.#isReplaced(text, entry)) return undefined;
      entry.durationMs = clock.elapsed() - startedAt;
      this.#publish(entry, result);
    } else if ('pending' in entry.selection) entry.selection = { pending: missing };
    return retryMs;
  }

  /** A placement that was forgotten meanwhile must hold no informers. */
  #isReplaced(text: string, entry: Entry): boolean {
    const now = this.#entries.get(text);
    if (now === undefined) this.#kinds.release(text);
    return now !== entry;
  }

  *#evaluate(text: string, entry: Entry, { objects }: KindsForPlacement): Steps<DigestedObjects | SelectionProblem> {
    const takesNamespace = (namespace: string): void => this.#index.addWholeNamespace(text, namespace);
    try {
      const selected = yield* selectObjects(entry, { ...objects, takesNamespace }, this.#options.rules);
      if (this.#entries.get(text) === entry) this.#index.keepWholeNamespaces(text, new Set(selected.wholeNamespaces));
      return yield* digestObjects(selected.kinds, objects.get);
    } catch (error) {
      if (!(error instanceof SelectorProblem)) throw error;
      return { problem: `failed to process the request due to a client error: ${error.message}` };
    }
  }

  #publish(entry: Entry, result: DigestedObjects | SelectionProblem): void {
    const before = entry.selection;
    entry.selection = nextSelection(before, result, {
      get: (kind, key) => this.#kinds.get(kind, key),
      missed: () => (entry.isMissed = true),
    });
    if (!('problem' in result)) entry.placedKinds = kindsIn(result.identifiers);
    if (entry.selection === before && !entry.isMissed && !entry.isAwaited) return;
    entry.isMissed = false;
    entry.isAwaited = false;
    const { cluster, namespaced } = this.#wakes;
    for (const wake of entry.key.namespace === undefined ? cluster : namespaced) wake(entry.key);
  }

  #objectChanged(kind: Kind, change: ObjectChange): void {
    const labels = () => [change.now(), change.old()].filter((state) => state !== undefined).map(ownLabels);
    const byName = this.#index.of(kind, change.key, labels);
    const byNamespace = this.#kinds.isInNamespaces(kind) ? this.#index.inNamespace(change.key.namespace) : none;
    if (byName.size + byNamespace.size === 0) return;
    const { runsWorkloads } = this.#options.rules;
    if (isSameContent(kind, change, { runsWorkloads, hasService: (key) => this.#kinds.hasService(key) })) return;
    this.#addAll(byName);
    this.#addAll(byNamespace);
  }

  #kindChanged({ group, kind }: Kind): void {
    this.#addWhere(
      ({ selectors, placedKinds, isWaiting }) =>
        isWaiting ||
        placedKinds.has(`${group}/${kind}`) ||
        selectors.some((selector) => selector.group === group && selector.kind === kind),
    );
  }

  /** A long selection waits as long as it takes, so that many changes in a row cost at most half of the time. */
  #addAll(placements: Iterable<string>): void {
    for (const placement of placements) {
      const entry = this.#entries.get(placement);
      if (entry) entry.isStale = true;
      const { durationMs = 0 } = entry ?? {};
      this.#loop.addAfter(placement, durationMs < longMs ? 0 : Math.min(durationMs, maxWaitMs));
    }
  }

  #addWhere(concerns: (entry: Entry) => boolean): void {
    for (const [placement, entry] of this.#entries) {
      if (!concerns(entry)) continue;
      entry.isStale = true;
      this.#loop.add(placement);
    }
  }
}

type Wake = (placement: ObjectKey) => void;

const none: ReadonlySet<string> = new Set();

/** The same object if nothing has changed. */
function nextSelection(
  before: Selection,
  result: DigestedObjects | SelectionProblem,
  reader: ContentReader,
): Selection {
  if ('problem' in result) return 'problem' in before && before.problem === result.problem ? before : result;
  if (before instanceof DigestedSelection && before.continue(result)) return before;
  return new DigestedSelection(result, reader);
}

function kindsIn(resources: readonly { readonly group?: string; readonly kind: string }[]): ReadonlySet<string> {
  return new Set(resources.map(({ group = '', kind }) => `${group}/${kind}`));
}
