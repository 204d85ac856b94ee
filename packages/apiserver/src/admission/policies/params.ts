import {
  ApiError,
  labelSelectorFrom,
  qualified,
  SelectorError,
  type Kind,
  type KubeObject,
  onceFor,
} from '@flotilla/kube';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Entry } from '../../store/store.ts';
import type { AdmissionDependencies } from '../admission.ts';
import type { ParamKind, ParamRef } from './policy-fields.ts';

/** Why a policy or a binding cannot be applied. */
export class ConfigurationFault extends Error {
  override readonly name = 'ConfigurationFault';
}

/** The message of a fault of the configuration. Everything else is a fault of ours, and must not be ignored. */
export function faultMessage(error: unknown): string {
  const isFault = error instanceof ConfigurationFault || error instanceof SelectorError || error instanceof ApiError;
  if (isFault) return error.message;
  throw error;
}

/** Undefined stands for expressions that run without parameters. */
export type Params = readonly (KubeObject | undefined)[];

const noParams: Params = [undefined];

const decodeOnce = onceFor((entry: Entry) => decodeStored(entry.bytes));

export function findParamKind(server: AdmissionDependencies, paramKind: ParamKind): Kind {
  const { group, version } = splitApiVersion(paramKind.apiVersion ?? '');
  const kind = paramKind.kind ?? '';
  const found = server.findKind({ group, version, kind });
  if (found) return found;
  throw new ConfigurationFault(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`);
}

/**
 * The parameters of a binding for a request in this namespace. The policy is evaluated for each of them. Async only if a
 * webhook must convert them to the version that the policy names.
 */
export function collectParams(
  server: AdmissionDependencies,
  paramKind: Kind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
): Params | Promise<Params> {
  if (!paramKind || !ref) return noParams;
  const entries = entriesOf(server, paramKind, ref, paramsNamespace(paramKind, ref, namespace));
  if (entries.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationFault('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return inKind(server, paramKind, entries);
}

/** Empty for cluster-scoped parameters. */
function paramsNamespace({ namespaced }: Kind, { namespace = '' }: ParamRef, requested: string): string {
  if (namespaced) {
    if (namespace !== '' || requested !== '') return namespace || requested;
    throw new ConfigurationFault(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  if (namespace === '') return '';
  throw new ConfigurationFault('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
}

function entriesOf(
  { store, registry }: AdmissionDependencies,
  { group, version, plural }: Kind,
  { name = '', selector }: ParamRef,
  namespace: string,
): readonly Entry[] {
  // In the thread for heavy requests, the registry has built-in resources only.
  const collection = registry.find(group, version, plural)?.collection ?? qualified(plural, group);
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const snapshot = store.snapshot();
  if (name !== '') {
    const entry = snapshot.get({ collection, name: `${prefix}${name}` });
    return entry ? [entry] : [];
  }
  const labels = labelSelectorFrom(selector ?? {});
  return [...snapshot.range(collection, prefix)].filter(({ header }) => labels.matches(header.labels));
}

function inKind(
  { registry }: AdmissionDependencies,
  { group, version, plural }: Kind,
  entries: readonly Entry[],
): Params | Promise<Params> {
  const form = registry.find(group, version, plural)?.storedForm;
  if (!form || entries.every((entry) => form.isServedAsStored(entry))) return entries.map((entry) => decodeOnce(entry));
  return form.read(entries);
}
