import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LabelSelector } from './label-selector.ts';
import {
  labelSelectorFrom,
  labelSelectorFromLabels,
  printLabelSelector,
  validateLabelSelector,
} from './label-selector-object.ts';
import { parseLabelSelector } from './parse-label-selector.ts';
import { fieldErrorText } from '../validation/field-error.ts';

function matches(selector: string, labels?: Record<string, string>): boolean {
  return parseLabelSelector(selector).matches(labels);
}

test('every operator selects what Kubernetes selects', () => {
  const web = { tier: 'web', n: '5', empty: '' };
  for (const selector of [
    '',
    'tier',
    'tier=web',
    'tier==web',
    'tier!=api',
    'x!=1',
    'tier in (api,web)',
    'tier notin (api)',
  ]) {
    assert.equal(matches(selector, web), true, selector);
  }
  for (const selector of ['x notin (1)', '!x', 'n>4', 'n<6', 'empty=', 'empty in ()', 'empty in (a,,b)', 'tier,n,!x']) {
    assert.equal(matches(selector, web), true, selector);
  }
  for (const selector of [
    'x',
    'tier=api',
    'tier!=web',
    'tier notin (web)',
    '!tier',
    'n>5',
    'n<5',
    'tier>1',
    'x>1',
    'tier,x',
    'x=',
  ]) {
    assert.equal(matches(selector, web), false, selector);
  }
});

test('negative requirements select objects without labels', () => {
  assert.equal(matches('!a'), true);
  assert.equal(matches('a'), false);
  assert.equal(matches('constructor'), false);
});

test('prints itself in canonical form', () => {
  const printed: Record<string, string> = {
    'b=1, a in ( z , y,y ) ,!c': 'a in (y,z),b=1,!c',
    'x>5,y<7,z==1,w!=2,v,u notin (a)': 'u notin (a),v,w!=2,x>5,y<7,z==1',
    'in in (in,notin)': 'in in (in,notin)',
  };
  for (const [text, expected] of Object.entries(printed)) assert.equal(parseLabelSelector(text).toString(), expected);
});

test('refuses other texts with Kubernetes’ message', () => {
  const refused: Record<string, string> = {
    'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    'a=b c': "found 'c', expected: ',' or 'end of string'",
    'a in (b': "unable to parse requirement: found '', expected: ',' or ')'",
    'a in b': "unable to parse requirement: found 'b' expected: '('",
    '!a,': "found '', expected: identifier after ','",
    ',': "found ',', expected: !, identifier, or 'end of string'",
    'a,,b': "found ',', expected: identifier after ','",
    'a>x': `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    '!!a': "unable to parse requirement: found '!', expected: identifier",
    'a!': "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt",
    '!=a': "found '!=', expected: !, identifier, or 'end of string'",
    'a===b': "unable to parse requirement: found '=', expected: identifier",
    '(a)': "found '(', expected: !, identifier, or 'end of string'",
    'a in (=)': "unable to parse requirement: found '=', expected: ',', ')' or identifier",
    'a in (b c)': "unable to parse requirement: found 'c', expected: ',' or ')'",
    'a in (b,=)': "unable to parse requirement: found '=', expected: ',', or identifier",
    '!a=b': "found '=', expected: ',' or 'end of string'",
    'a=b,!': "unable to parse requirement: found '', expected: identifier",
  };
  for (const [text, message] of Object.entries(refused)) {
    assert.throws(() => parseLabelSelector(text), { name: 'SelectorError', message }, text);
  }
  assert.throws(
    () => parseLabelSelector('x=-'),
    /^SelectorError: unable to parse requirement: values\[0\]\[x\]: Invalid value: "-": a valid label must/,
  );
  assert.throws(() => parseLabelSelector('a/b/c'), /: <nil>: Invalid value: "a\/b\/c": a valid label key must/);
});

test('parses and matches a selector of a megabyte in linear time', () => {
  const values = Array.from({ length: 150_000 }, (_, i) => `v${i}`);
  const selector = parseLabelSelector(`a in (${values.join(',')})`);
  assert.equal(selector.matches({ a: 'v149999' }), true);
  assert.equal(parseLabelSelector(values.join(',')).requirements.length, 150_000);
  assert.throws(() => parseLabelSelector('!'.repeat(1_000_000)));
  assert.throws(() => parseLabelSelector(`a${' '.repeat(1_000_000)}b`));
});

test('matching checks only the labels of the object for forbidden values', () => {
  const selector = parseLabelSelector(
    Array.from({ length: 10_000 }, (_, index) => `!l${index},l${index}!=x`).join(','),
  );
  let asked = 0;
  const counting = (labels: Record<string, string>): Record<string, string> =>
    new Proxy(labels, {
      getOwnPropertyDescriptor: (target, key) => {
        asked++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  assert.equal(selector.matches(counting({ app: 'web', tier: 'api' })), true);
  assert.equal(selector.matches(counting({ app: 'web', l9999: 'y' })), false);
  assert.ok(asked < 20, `asked ${asked} times`);
});

test('parses its own output to the same selector', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
  const requirement = fc.oneof(
    word,
    word.map((key) => `!${key}`),
    fc.tuple(word, fc.constantFrom('=', '==', '!='), word).map((parts) => parts.join('')),
    fc
      .tuple(word, fc.constantFrom('in', 'notin'), fc.array(word))
      .map(([key, operator, all]) => `${key} ${operator} (${all.join()})`),
  );
  fc.assert(
    fc.property(fc.array(requirement), fc.dictionary(word, word), (requirements, labels) => {
      const selector = parseLabelSelector(requirements.join());
      const again = parseLabelSelector(selector.toString());
      assert.equal(again.toString(), selector.toString());
      assert.equal(again.matches(labels), selector.matches(labels));
      assert.equal(
        selector.matches(labels),
        requirements.every((one) => parseLabelSelector(one).matches(labels)),
      );
    }),
  );
});

test('a selector in an object is nothing when absent and everything when empty', () => {
  assert.equal(labelSelectorFrom(undefined).matches({}), false);
  assert.equal(labelSelectorFrom({}).matches({}), true);
  assert.equal(labelSelectorFrom({}).isEmpty, true);
  assert.equal(LabelSelector.nothing.isEmpty, false);
});

test('a selector in an object combines labels and expressions', () => {
  const selector = labelSelectorFrom({
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'env', operator: 'In', values: ['prod', 'dev'] },
      { key: 'old', operator: 'DoesNotExist' },
    ],
  });
  assert.equal(selector.toString(), 'app=web,env in (dev,prod),!old');
  assert.equal(selector.matches({ app: 'web', env: 'dev' }), true);
  assert.equal(selector.exactValueOf('app'), 'web');
  assert.throws(() => labelSelectorFrom({ matchExpressions: [{ key: 'a', operator: 'Near' }] }), {
    message: '"Near" is not a valid label selector operator',
  });
  assert.equal(printLabelSelector({ matchLabels: { b: '1', a: '2' } }), 'a=2,b=1');
  assert.equal(printLabelSelector(undefined), '<none>');
  assert.equal(labelSelectorFromLabels({ app: 'web' }).matches({ app: 'web' }), true);
});

test('a selector in an object is checked field by field', () => {
  const errors = validateLabelSelector(
    {
      matchLabels: { a: '-' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: '', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'Near' },
      ],
    },
    'spec.selector',
  );
  assert.deepEqual(
    errors.map(({ field, type }) => `${field} ${type}`),
    [
      'spec.selector.matchLabels FieldValueInvalid',
      'spec.selector.matchExpressions[0].values FieldValueRequired',
      'spec.selector.matchExpressions[1].values FieldValueForbidden',
      'spec.selector.matchExpressions[1].key FieldValueInvalid',
      'spec.selector.matchExpressions[1].key FieldValueInvalid',
      'spec.selector.matchExpressions[2].operator FieldValueInvalid',
    ],
  );
  assert.equal(
    fieldErrorText(errors[1] ?? assert.fail()),
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  );
});

test('a selector in an object may have more errors than fit on the stack', () => {
  const values = Array.from({ length: 200_000 }, () => '-');
  const matchExpressions = [{ key: 'a', operator: 'In', values }];
  assert.equal(validateLabelSelector({ matchExpressions }, 'spec.selector').length, values.length);
});
