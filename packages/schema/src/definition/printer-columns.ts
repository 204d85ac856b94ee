import { invalid, required, type FieldError } from '@flotilla/kube';
import type { PrinterColumn } from './custom-resource-definition.ts';
import { dotPathProblem } from './dot-path.ts';

const columnTypes: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumns(columns: readonly PrinterColumn[], path: string): FieldError[] {
  return columns.flatMap((column, i) => validateColumn(column, `${path}[${i}]`));
}

function validateColumn({ name, type, format = '', jsonPath }: PrinterColumn, path: string): FieldError[] {
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...validateType(type, `${path}.type`),
    ...(format === '' ? [] : validateOneOf(format, columnFormats, `${path}.format`)),
    // The path is spelled as Go spells it.
    ...validateJsonPath(jsonPath, `${path}.JSONPath`),
  ];
}

function validateType(type: string, path: string): FieldError[] {
  return type === ''
    ? [required(path, `must be one of ${columnTypes.join(',')}`)]
    : validateOneOf(type, columnTypes, path);
}

function validateOneOf(value: string, choices: readonly string[], path: string): FieldError[] {
  return choices.includes(value) ? [] : [invalid(path, value, `must be one of ${choices.join(',')}`)];
}

function validateJsonPath(jsonPath: string, path: string): FieldError[] {
  if (jsonPath === '') return [required(path)];
  const problem = dotPathProblem(jsonPath);
  return problem === undefined ? [] : [invalid(path, jsonPath, problem)];
}
