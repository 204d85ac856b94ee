/** Answers of kube-apiserver that tests compare with our kinds: `recorded/README.md`. */
import { apiVersionOf, type JsonObject, type KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import type { Cell, KindBehavior } from '../kind.ts';
import { allKinds } from './all.ts';

export interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  /** Also the time that the server wrote into stored objects. */
  readonly recordedAt: string;
  readonly writes?: Pick<KindBehavior, 'createOnUpdate' | 'requiresResourceVersion' | 'returnsDeletedObject'>;
  readonly columns: readonly JsonObject[];
  readonly cases: readonly RecordedCase[];
}

export interface RecordedCase extends RecordedWrite {
  readonly says: string;
  readonly stored?: KubeObject;
  readonly refused?: readonly Cause[];
  /** For causes about entries of a map, which has no order in Go. */
  readonly inAnyOrder?: boolean;
  /** The code of a refusal, if not 422. */
  readonly code?: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly cells?: readonly Cell[];
}

/** A create, or an update of `given`. */
export interface RecordedWrite {
  readonly create?: KubeObject;
  readonly given?: KubeObject;
  readonly update?: KubeObject;
  readonly subresource?: string;
}

export interface Cause {
  readonly reason?: string | undefined;
  readonly field?: string | undefined;
  readonly message?: string | undefined;
}

interface RecordedKind {
  /** `v1 Pod` */
  readonly name: string;
  readonly kind: KindBehavior;
  readonly recording: Recording;
  readonly recordedAt: Date;
}

const folder = new URL('recorded/', import.meta.url);

export function recordedKinds(): RecordedKind[] {
  return globSync('*/*.json', { cwd: folder }).sort().map(recordedKind);
}

function recordedKind(file: string): RecordedKind {
  const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
  const kind = allKinds.find((one) => apiVersionOf(one) === recording.apiVersion && one.kind === recording.kind);
  assert.ok(kind, `${file} is of no kind here`);
  const name = `${recording.apiVersion} ${recording.kind}`;
  return { name, kind, recording, recordedAt: new Date(recording.recordedAt) };
}
