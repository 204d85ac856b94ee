import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  invalid,
  maxSubdomainLength,
  pushAll,
  quote,
  required,
  tooLong,
  type FieldError,
} from '@flotilla/kube';

/** A path has room for a label, a dot and a subdomain. */
const maxLength = maxSubdomainLength + 1 + 63 + 1 + maxSubdomainLength;

/** `example.com/signer-name`: a domain of two labels or more, a slash, and a subdomain. */
export function validateSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const errors = [...validateDomain(field, domain), ...validatePath(field, path)];
  return name.length > maxLength ? [...errors, tooLong(field, maxLength)] : errors;
}

function validateDomain(field: string, domain: string): FieldError[] {
  const labels = domain.split('.');
  const errors = domain.length > maxSubdomainLength ? [tooLong(field, maxSubdomainLength)] : [];
  pushAll(errors, firstLabelErrors(field, domain, dns1123LabelProblems));
  if (labels.length < 2) {
    errors.push(invalid(field, domain, 'should be a domain with at least two segments separated by dots'));
  }
  return errors;
}

function validatePath(field: string, path: string): FieldError[] {
  return firstLabelErrors(field, path, dns1123SubdomainProblems);
}

/** Only the first bad label is named: the others would read the same. */
function firstLabelErrors(field: string, value: string, rule: (label: string) => readonly string[]): FieldError[] {
  const bad = value.split('.').find((label) => rule(label).length > 0);
  if (bad === undefined) return [];
  return rule(bad).map((problem) => invalid(field, value, `validating label ${quote(bad)}: ${problem}`));
}
