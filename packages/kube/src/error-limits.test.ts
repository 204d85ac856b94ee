import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors } from './api-errors.ts';
import { maxListed, maxMessage, maxErrorText } from './error-limits.ts';
import { invalid } from './validation/field-error.ts';

const kind = { kind: 'Work', group: '' };

describe('the size of refusals', () => {
  test('a hundred thousand errors are counted, and the first listed', () => {
    const errors = Array.from({ length: 100_000 }, (_, index) =>
      invalid(`status.list[${index}]`, 0, 'must be an object'),
    );
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.equal(status.details?.causes?.length, maxListed);
    const listed = `status.list[${maxListed - 1}]: Invalid value: 0: must be an object`;
    assert.ok(status.message?.endsWith(`${listed}, and at least ${100_000 - maxListed} more errors]`));
  });

  test('as many as are listed are listed whole', () => {
    const errors = Array.from({ length: maxListed }, (_, index) => invalid(`f${index}`, 0, ''));
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.ok(status.message?.endsWith(`f${maxListed - 1}: Invalid value: 0]`));
  });

  test('a value of a megabyte is cut, once for the message and once for the cause', () => {
    const { status } = apiErrors.invalid(kind, 'w', [invalid('spec', 'x'.repeat(1_000_000), 'too long')]);
    const [cause] = status.details?.causes ?? [];
    assert.ok((cause?.message?.length ?? 0) < maxErrorText + 100);
    assert.match(cause?.message ?? '', /x\.\.\. \(and \d+ more characters\)$/);
    assert.ok((status.message?.length ?? 0) < maxErrorText + 200);
  });

  test('errors that each repeat a long value are fewer', () => {
    const errors = Array.from({ length: 400 }, (_, index) => invalid(`f${index}`, 'x'.repeat(10_000), ''));
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.equal(status.details?.causes?.length, 52);
    assert.ok(status.message?.endsWith('and at least 348 more errors]'));
  });

  test('any other message is cut, and never inside a character', () => {
    const { message = '' } = apiErrors.badRequest('😀'.repeat(maxMessage)).status;
    assert.ok(message.length < maxMessage + 100);
    assert.ok(message.isWellFormed());
  });
});
