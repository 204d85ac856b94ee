/** Each kind must answer as kube-apiserver v1.36 did: `recorded/README.md`. */
import type { KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Cell, KindBehavior } from '../kind.ts';
import { recordedKinds, type Cause, type RecordedCase, type Recording } from './recordings.testing.ts';
import { withAllocated } from './replay-admission.testing.ts';
import { answerOf, withoutWriteMetadata } from './replay-write.testing.ts';

for (const { name, kind, recording, recordedAt } of recordedKinds()) {
  const { columns, writes, cases } = recording;
  suite(`${name} answers as recorded`, () => {
    test('columns of kubectl get', () => assert.deepEqual(columnsOf(kind), columns));
    if (writes) test('rules for writing and deleting it', () => assert.deepEqual(writesOf(kind), writes));
    for (const recorded of cases) test(recorded.says, () => replay(kind, recorded, recordedAt));
  });
}

function columnsOf({ columns }: KindBehavior): readonly object[] {
  if (columns === undefined) {
    return [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Created At', type: 'date', format: '', priority: 0 },
    ];
  }
  return columns.definitions.map(({ name, type, format = '', priority }) => ({ name, type, format, priority }));
}

function writesOf(kind: KindBehavior): Recording['writes'] {
  const { createOnUpdate = false, requiresResourceVersion = false, returnsDeletedObject = false } = kind;
  return { createOnUpdate, requiresResourceVersion, returnsDeletedObject };
}

function replay(kind: KindBehavior, recorded: RecordedCase, recordedAt: Date): void {
  const { object, causes, warnings, code, message } = answerOf(kind, recorded, recordedAt);
  const { stored, refused = [], create, update } = recorded;
  if (recorded.inAnyOrder) assert.deepEqual(sorted(causes), sorted(refused));
  else assert.deepEqual(causes, refused);
  assert.equal(code, stored ? undefined : (recorded.code ?? 422));
  if (recorded.message !== undefined) assert.equal(message, recorded.message);
  if (stored === undefined) return;

  assert.deepEqual(asSent(withAllocated(withoutWriteMetadata(object), create ?? update ?? object, stored)), stored);
  assert.deepEqual(warnings, recorded.warnings ?? []);
  if (kind.columns === undefined || recorded.cells === undefined) return;
  const cells = kind.columns.cells(createdAt(recordedAt, stored), recordedAt);
  assert.deepEqual(cells.map(settled), recorded.cells.map(settled));
}

function sorted(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => (`${a.field}${a.message}` < `${b.field}${b.message}` ? -1 : 1));
}

function asSent(object: KubeObject): unknown {
  return JSON.parse(JSON.stringify(object));
}

function createdAt(time: Date, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, creationTimestamp: time.toISOString() } };
}

/** The recorded server took a moment to print the table. */
function settled(cell: Cell): Cell {
  return cell === '1s' ? '0s' : cell;
}
