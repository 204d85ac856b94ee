import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  approvalCondition,
  condition,
  establishedCondition,
  nonStructuralCondition,
  withCondition,
  withoutCondition,
} from './conditions.ts';
import { aDefinition, aVersion } from './sample-definition.testing.ts';

const accepted = condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');
const refused = condition('NamesAccepted', 'False', 'KindConflict', '"Ship" is already in use');

describe('setting a condition', () => {
  test('sets the time of the transition', () => {
    const first = withCondition(null, accepted, 'monday');
    assert.deepEqual(first, [{ ...accepted, lastTransitionTime: 'monday' }]);
    assert.equal(withCondition(first, refused, 'tuesday')[0]?.lastTransitionTime, 'tuesday');
  });

  test('keeps the time while the status is the same', () => {
    const first = withCondition(null, refused, 'monday');
    const [again] = withCondition(first, { ...refused, reason: 'PluralConflict' }, 'tuesday');
    assert.equal(again?.lastTransitionTime, 'monday');
    assert.equal(again.reason, 'PluralConflict');
  });

  test('does not change other conditions, and can be undone', () => {
    const both = withCondition(
      withCondition([], accepted, 'monday'),
      condition('Terminating', 'True', 'a', 'b'),
      'monday',
    );
    assert.deepEqual(
      both.map(({ type }) => type),
      ['NamesAccepted', 'Terminating'],
    );
    assert.deepEqual(
      withoutCondition(both, 'NamesAccepted').map(({ type }) => type),
      ['Terminating'],
    );
  });
});

describe('approval', () => {
  const inGroup = (group: string, annotation?: string): ReturnType<typeof approvalCondition> => {
    const definition = aDefinition({ group });
    if (annotation !== undefined) definition.metadata.annotations = { 'api-approved.kubernetes.io': annotation };
    return approvalCondition(definition);
  };

  test("is not needed outside of the project's groups", () => {
    assert.equal(inGroup('example.com'), undefined);
    assert.equal(inGroup('notk8s.io'), undefined);
  });

  test('is a URL, unapproved, or missing', () => {
    assert.equal(
      inGroup('k8s.io', 'https://github.com/kubernetes/x')?.message,
      'approved in https://github.com/kubernetes/x',
    );
    assert.equal(inGroup('a.k8s.io', 'unapproved, an experiment')?.reason, 'UnapprovedAnnotation');
    assert.equal(inGroup('kubernetes.io', 'yes')?.reason, 'InvalidAnnotation');
    assert.equal(inGroup('a.kubernetes.io')?.reason, 'MissingAnnotation');
  });
});

describe('structure', () => {
  test('has no condition while all schemas are structural', () => {
    assert.equal(nonStructuralCondition(aDefinition()), undefined);
  });

  test('lists the paths of all violations, however old', () => {
    const definition = aDefinition({ preserveUnknownFields: true, versions: [aVersion({ a: {} })] });
    assert.deepEqual(nonStructuralCondition(definition), {
      type: 'NonStructuralSchema',
      status: 'True',
      reason: 'Violations',
      message:
        '[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields]',
    });
  });

  test('cannot be checked with unsupported keywords', () => {
    const definition = aDefinition({ versions: [aVersion({ a: { $ref: '#/b' } })] });
    assert.equal(nonStructuralCondition(definition)?.reason, 'StructuralError');
  });
});

test('an invalid CA bundle prevents a definition from being established', () => {
  const withBundle = (caBundle: string): string | undefined =>
    establishedCondition(
      aDefinition({ conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a', caBundle } } } }),
    ).reason;
  assert.equal(withBundle(''), 'InitialNamesAccepted');
  assert.equal(withBundle(Buffer.from('no certificate').toString('base64')), 'InvalidCABundle');
});
