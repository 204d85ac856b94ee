/** A deleted binding keeps its finalizer until its Works are gone. KubeFleet does not wait for Works that are being deleted. */
import { deletePropagationAnnotation, workFinalizer, works as workKind, type Binding, type Work } from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { own } from './wanted-work.ts';
import type { WorksState } from './works-state.ts';

/** Applied objects stay on the member when the binding is deleted. */
function isAbandoned({ metadata: { annotations = {} } }: Readonly<Binding>): boolean {
  return own(annotations, deletePropagationAnnotation) === 'Abandon';
}

export function removeWorks(state: WorksState): Plan {
  const { family, binding, works } = state;
  const { namespace, name = '', resourceVersion = '', finalizers = [] } = binding.metadata;
  if (!finalizers.includes(workFinalizer)) return nothingToDo;
  if (works.length === 0) {
    const others = finalizers.filter((finalizer) => finalizer !== workFinalizer);
    const patch = { metadata: { resourceVersion, finalizers: others } };
    return { steps: [[{ verb: 'patch', kind: family.binding, key: { namespace, name }, patch }]] };
  }
  const remove = isAbandoned(binding) ? abandoned : deleted;
  return { steps: [works.flatMap((work) => remove(work, state) ?? [])] };
}

/** The agent deletes what it applied, unless the member is gone. */
function deleted(work: Readonly<Work>, { cluster }: WorksState): Write | undefined {
  const { namespace, name = '', uid = '', deletionTimestamp } = work.metadata;
  if (deletionTimestamp === undefined) return { verb: 'delete', kind: workKind, key: { namespace, name }, uid };
  return cluster === undefined ? withoutFinalizer(work, {}) : undefined;
}

/**
 * What the agent applied stays on the member. An agent of ours reads the annotation. Others would delete: they lose their finalizer
 * first. They may put it back at any time, so the deletion is conditional on the version without it.
 */
function abandoned(work: Readonly<Work>, { hasOurAgent }: WorksState): Write | undefined {
  const { namespace, name = '', uid = '', resourceVersion = '', deletionTimestamp, finalizers = [] } = work.metadata;
  const isMarked = own(work.metadata.annotations ?? {}, deletePropagationAnnotation) === 'Abandon';
  const annotations = { [deletePropagationAnnotation]: 'Abandon' };
  if (!hasOurAgent) {
    if (!isMarked || finalizers.includes(workFinalizer)) return withoutFinalizer(work, { annotations });
  } else if (!isMarked) {
    return {
      verb: 'patch',
      kind: workKind,
      key: { namespace, name },
      patch: { metadata: { resourceVersion, annotations } },
    };
  }
  if (deletionTimestamp !== undefined) return undefined;
  return { verb: 'delete', kind: workKind, key: { namespace, name }, uid, resourceVersion };
}

function withoutFinalizer(
  work: Readonly<Work>,
  more: { readonly annotations?: Record<string, string> },
): Write | undefined {
  const { namespace, name = '', resourceVersion = '', finalizers = [] } = work.metadata;
  const others = finalizers.filter((finalizer) => finalizer !== workFinalizer);
  if (others.length === finalizers.length && more.annotations === undefined) return undefined;
  const patch = { metadata: { resourceVersion, finalizers: others, ...more } };
  return { verb: 'patch', kind: workKind, key: { namespace, name }, patch };
}
