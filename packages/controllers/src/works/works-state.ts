import type { Binding, MemberCluster, PlacementFamily, ReportBackStrategy, Work } from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { NamedOverrides, Result } from '../overrides/overridden-manifest.ts';
import type { RenderedGroup } from './rendered-group.ts';

/** A binding and all that its Works depend on. */
export interface WorksState {
  readonly family: PlacementFamily;
  readonly binding: Readonly<Binding>;
  readonly cluster: Readonly<Pick<MemberCluster, 'metadata'>> | undefined;
  /** Whether the agent of the member is Flotilla's. */
  readonly hasOurAgent: boolean;
  /** How long it may wait for a report before it says that there is none: other members are reporting. Undefined if it may not. */
  readonly mayWaitMs?: number | undefined;
  /** Its Works in the member's namespace, in the order of their names; also those that are being deleted. */
  readonly works: readonly Readonly<Work>[];
  /** Works of other bindings that have the names of Works for this binding. */
  readonly rivals: readonly RivalWork[];
  /** The resource snapshots that the binding names; undefined if the first of them does not exist. */
  readonly group: RenderedGroup | undefined;
  /** The override snapshots that the binding names. */
  readonly overrides: Result<NamedOverrides>;
  /** Of the placement; undefined if it does not exist. */
  readonly reportBack: { readonly strategy: ReportBackStrategy | undefined } | undefined;
}

export interface RivalWork {
  readonly work: Readonly<Work>;
  /** The binding that its labels name; undefined if that does not exist. */
  readonly binding: ObjectKey | undefined;
}
