import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { referencePage } from './reference-page.ts';

const tide = s.object('High or low.', { height: s.integer('In metres.', { minimum: 0 }) });

const spec = s.object('What it offers.', {
  berths: s.withDefault(s.integer('How many ships.', { minimum: 1, maximum: 9 }), 4),
  tags: s.optional(s.list(s.string('A word.', { pattern: 'a|b' }), 'To find it by.', { maxItems: 1 })),
  size: s.oneOf(['small', 'large'], 'Which ships.', { rules: [{ rule: 'self == oldSelf', message: 'size stays' }] }),
  tides: s.optional(s.map(tide, 'By day.')),
});

const sea = { group: 'sea.example.com', version: 'v1' };
const harbour = { description: 'Where ships lie.', fields: { spec } };
const page = referencePage(
  [
    defineVersions(
      { ...sea, kind: 'Harbour', plural: 'harbours', namespaced: true },
      {
        ...harbour,
        shortNames: ['hb'],
        columns: [{ name: 'Berths', type: 'integer', jsonPath: '.spec.berths', priority: 1 }],
        versions: {
          v1: {},
          v1alpha1: { lacks: ['spec.tides'], differs: { 'spec.berths': s.optional(s.integer('How many ships.')) } },
          v1beta1: {},
          v2alpha1: { columns: [], rules: { '': [{ rule: 'true' }] } },
        },
      },
    ),
    defineVersions({ ...sea, kind: 'Port', plural: 'ports', namespaced: false }, { ...harbour, versions: { v1: {} } }),
  ],
  [{ title: 'Tide', schema: tide.json }],
);

function hasLine(line: string): void {
  assert.ok(page.split('\n').includes(line), `no line ${line} in\n${page}`);
}

describe('the reference page', () => {
  test('begins with all kinds', () => {
    hasLine('| [Harbour](#harbour) | `hb` | Namespaced | v1, v1alpha1, v1beta1, v2alpha1 |');
    hasLine('| [Port](#port) |  | Cluster | v1 |');
  });

  test('lists the type, presence and constraints of each field', () => {
    hasLine('| `spec.berths` | integer | How many ships. At least 1; at most 9; `4` when left out. |');
    hasLine('| `spec.tags` | list of string | To find it by. At most 1 item; each matches `a\\|b`. |');
    hasLine('| `spec.size`\\* | string | Which ships. One of `small`, `large`. Rule: size stays. |');
  });

  test('lists the differences of versions', () => {
    hasLine('- `v1alpha1` lacks `spec.tides` and differs in `spec.berths`.');
    hasLine('- `v1beta1` is the same.');
    hasLine('- `v2alpha1` has other rules for the whole object and has other columns.');
  });

  test('lists the columns', () => {
    hasLine('- Columns: Berths (wide)');
  });

  test('describes shared types once, and links to them', () => {
    hasLine('| `spec.tides` | map of [Tide](#tide) | By day. |');
    hasLine('| `height`\\* | integer | In metres. At least 0. |');
    assert.ok(!page.includes('spec.tides{}.height'));
  });

  test('does not repeat the fields of a twin', () => {
    hasLine('Its fields are those of [Harbour](#harbour).');
  });
});
