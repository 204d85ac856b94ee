import { verdictOf, type Bar, type Measurement, type Unit } from './measurement.ts';

/** All measurements as a text table, with a heading for each figure. */
export function tableOf(measurements: readonly Measurement[]): string {
  const header = ['', 'measured', 'bar', '', 'floor', 'of floor', 'kube-apiserver'];
  const rows = measurements.map(rowOf);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = [lineOf(header, widths)];
  let figure = '';
  for (const [index, measurement] of measurements.entries()) {
    if (measurement.figure !== figure) lines.push((figure = measurement.figure));
    lines.push(lineOf(rows[index] ?? [], widths));
  }
  return `${lines.join('\n')}\n`;
}

function rowOf(measurement: Measurement): string[] {
  const { what, value, unit, bar, floor, kubeApiserver } = measurement;
  return [
    `  ${what}`,
    withUnit(value, unit),
    bar ? barText(bar, unit) : '',
    verdictOf(measurement),
    floor === undefined ? '' : withUnit(floor, unit),
    floor === undefined ? '' : `×${(value / floor).toFixed(2)}`,
    kubeApiserver === undefined ? '' : withUnit(kubeApiserver, unit),
  ];
}

function barText(bar: Bar, unit: Unit): string {
  return 'atMost' in bar ? `≤ ${withUnit(bar.atMost, unit)}` : `≥ ${withUnit(bar.atLeast, unit)}`;
}

export function withUnit(value: number, unit: Unit): string {
  const digits = unit === 'ms' && value < 1 ? 3 : unit === 'ms' && value < 100 ? 1 : 0;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === 'per second' ? `${text}/s` : `${text} ${unit}`;
}

/** The first column is left-aligned, the others right-aligned. */
function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
  );
  return padded.join('  ').trimEnd();
}
