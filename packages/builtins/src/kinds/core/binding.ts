import { notSupported, required, type FieldError, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';

interface Binding {
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/** Assigns a pod to a node. Posted, never stored. */
export const bindingKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  validate(object): FieldError[] {
    const { kind = '', name = '' } = (object as KubeObject & Binding).target ?? {};
    const errors = kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])];
    return name === '' ? [...errors, required('target.name')] : errors;
  },
};
