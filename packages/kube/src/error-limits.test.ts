import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors } from './api-errors.ts';
import { maxListed, maxMessage, maxErrorText } from './error-limits.ts';
import { invalid } from './validation/field-error.ts';

const kind = { kind: 'Work', group: '' };

describe('the size of error responses', () => {
  test('of 100,000 errors the first are listed and the rest counted', () => {
    const errors = Array.from({ length: 100_000 }, (_, index) =>
      invalid(`status.list[${index}]`, 0, 'must be an object'),
    );
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.equal(status.details?.causes?.length, maxListed);
    const listed = `status.list[${maxListed - 1}]: Invalid value: 0: must be an object`;
    assert.ok(status.message?.endsWith(`${listed}, and at least ${100_000 - maxListed} more errors]`));
  });

  test('errors up to the limit are listed in full', () => {
    const errors = Array.from({ length: maxListed }, (_, index) => invalid(`f${index}`, 0, ''));
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.ok(status.message?.endsWith(`f${maxListed - 1}: Invalid value: 0]`));
  });

  test('cuts a value of a megabyte in the message and in the cause', () => {
    const { status } = apiErrors.invalid(kind, 'w', [invalid('spec', 'x'.repeat(1_000_000), 'too long')]);
    const [cause] = status.details?.causes ?? [];
    assert.ok((cause?.message?.length ?? 0) < maxErrorText + 100);
    assert.match(cause?.message ?? '', /x\.\.\. \(and \d+ more characters\)$/);
    assert.ok((status.message?.length ?? 0) < maxErrorText + 200);
  });

  test('lists fewer errors if each repeats a long value', () => {
    const errors = Array.from({ length: 400 }, (_, index) => invalid(`f${index}`, 'x'.repeat(10_000), ''));
    const { status } = apiErrors.invalid(kind, 'w', errors);
    assert.equal(status.details?.causes?.length, 52);
    assert.ok(status.message?.endsWith('and at least 348 more errors]'));
  });

  test('cuts any other message, and never inside a character', () => {
    const { message = '' } = apiErrors.badRequest('😀'.repeat(maxMessage)).status;
    assert.ok(message.length < maxMessage + 100);
    assert.ok(message.isWellFormed());
  });
});
