import { apiErrors, invalid, notSupported, quote, type FieldError, type JsonObject } from '@flotilla/kube';
import { integerParameter } from './integer-parameter.ts';
import type { Query } from './query.ts';
import { refuse } from './write-options.ts';

export interface DeleteOptions {
  readonly gracePeriodSeconds: number | bigint | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: boolean;
}

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** Reads the body, or the query if there is no body. */
export function deleteOptions(query: Query, body: JsonObject | undefined): DeleteOptions {
  const raw = body === undefined ? fromQuery(query) : fromBody(body);
  refuse('DeleteOptions', deleteErrors(raw));
  return {
    gracePeriodSeconds: raw.gracePeriodSeconds,
    uid: raw.uid,
    resourceVersion: raw.resourceVersion,
    propagationPolicy: raw.propagationPolicy as PropagationPolicy | undefined,
    orphanDependents: raw.orphanDependents,
    dryRun: raw.dryRun.length > 0,
  };
}

interface RawOptions {
  readonly gracePeriodSeconds: number | bigint | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: readonly string[];
}

function fromQuery(query: Query): RawOptions {
  return {
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    uid: undefined,
    resourceVersion: undefined,
    propagationPolicy: query.get('propagationPolicy'),
    orphanDependents: query.flag('orphanDependents'),
    dryRun: query.all('dryRun'),
  };
}

/** The body was decoded as DeleteOptions, so that its fields have the right types. */
function fromBody(body: JsonObject): RawOptions {
  const preconditions = body['preconditions'] as { uid?: string; resourceVersion?: string } | undefined;
  return {
    gracePeriodSeconds: body['gracePeriodSeconds'] as number | bigint | undefined,
    uid: preconditions?.uid,
    resourceVersion: preconditions?.resourceVersion,
    propagationPolicy: body['propagationPolicy'] as string | undefined,
    orphanDependents: body['orphanDependents'] as boolean | undefined,
    dryRun: (body['dryRun'] as string[] | undefined) ?? [],
  };
}

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

function deleteErrors({ propagationPolicy, orphanDependents, dryRun }: RawOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (propagationPolicy !== undefined && !policies.slice(0, 3).includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, policies));
  }
  if (!dryRun.every((value) => value === 'All')) errors.push(notSupported('dryRun', [...dryRun], ['All']));
  return errors;
}

/** Throws if the body has another kind. It may have none. */
export function checkOptionsKind(kind: string, apiVersion: string): void {
  if (kind === '' || kind === 'DeleteOptions') return;
  throw apiErrors.badRequest(
    `no kind ${quote(kind)} is registered for version ${quote(apiVersion || 'meta.k8s.io/v1')} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
  );
}
