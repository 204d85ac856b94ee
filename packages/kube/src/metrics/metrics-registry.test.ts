import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MetricsRegistry } from './metrics-registry.ts';
import { exponentialBounds, sampleValue } from './series.ts';

describe('a metrics registry', () => {
  test('prints families by name and series by labels, in the form that Prometheus reads', () => {
    const registry = new MetricsRegistry();
    const turns = registry.counter({ name: 'turns_total', help: 'Turns', labels: ['controller', 'result'] });
    turns.with('b', 'success').add(2);
    turns.with('a', 'error').add();
    registry.gauge({ name: 'depth', help: 'Depth' }).with().set(-1.5);
    assert.equal(
      registry.text(),
      [
        '# HELP depth Depth',
        '# TYPE depth gauge',
        'depth -1.5',
        '# HELP turns_total Turns',
        '# TYPE turns_total counter',
        'turns_total{controller="a",result="error"} 1',
        'turns_total{controller="b",result="success"} 2',
        '',
      ].join('\n'),
    );
  });

  test('counts a value in its bucket and in all larger ones', () => {
    const registry = new MetricsRegistry();
    const time = registry.histogram({ name: 't', help: 'Time', labels: ['of'], bounds: [0.1, 1] });
    for (const seconds of [0.1, 0.5, 7]) time.with('x').observe(seconds);
    assert.deepEqual(registry.text().split('\n').slice(2), [
      't_bucket{of="x",le="0.1"} 1',
      't_bucket{of="x",le="1"} 2',
      't_bucket{of="x",le="+Inf"} 3',
      't_sum{of="x"} 7.6',
      't_count{of="x"} 3',
      '',
    ]);
  });

  test('escapes what would end a line or a label', () => {
    const registry = new MetricsRegistry();
    registry
      .counter({ name: 'n', help: 'a\\b\nc', labels: ['l'] })
      .with('q"u\\o\nte')
      .add();
    assert.deepEqual(registry.text().split('\n'), [
      '# HELP n a\\\\b\\nc',
      '# TYPE n counter',
      'n{l="q\\"u\\\\o\\nte"} 1',
      '',
    ]);
  });

  test('returns an existing metric, and refuses another of the same name', () => {
    const registry = new MetricsRegistry();
    const options = { name: 'n', help: 'N', labels: ['a'] };
    assert.equal(registry.counter(options), registry.counter(options));
    assert.throws(() => registry.gauge(options), TypeError);
    assert.throws(() => registry.counter({ ...options, labels: ['b'] }), TypeError);
    assert.throws(() => registry.counter(options).with('x', 'y'), RangeError);
  });

  test('computes values before a scrape', () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'n', help: 'N' });
    const end = registry.beforeScrape(() => gauge.with().add());
    registry.text();
    assert.match(registry.text(), /\nn 2\n/);
    end();
    assert.match(registry.text(), /\nn 2\n/);
  });

  test('removes a series', () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'n', help: 'N', labels: ['of'] });
    gauge.with('x').set(1);
    gauge.without('x');
    assert.equal(registry.text(), '');
  });
});

test('numbers are printed as Go prints them', () => {
  const printed = [0, 1, 0.25, 1e-8, 0.00012, 123_456_789, 1e21, 1.5e300, Number.POSITIVE_INFINITY, Number.NaN];
  assert.equal(printed.map(sampleValue).join(' '), '0 1 0.25 1e-08 0.00012 123456789 1e+21 1.5e+300 +Inf NaN');
});

test('exponential bounds multiply', () => {
  assert.deepEqual(exponentialBounds(1, 10, 3), [1, 10, 100]);
});
