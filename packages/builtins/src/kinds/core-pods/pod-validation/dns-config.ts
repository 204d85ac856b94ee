import {
  invalid,
  dns1123SubdomainProblems,
  dns1123SubdomainWithUnderscoreProblems,
  pushAll,
  required,
  validateIpSpelling,
  type FieldError,
} from '@flotilla/kube';
import type { HostAliasFields, PodSpecFields } from '../pod-fields.ts';
import { invalidForEach } from './checks.ts';

/** Limits of libc's resolver on Linux. */
const maxNameservers = 3;
const maxSearchPaths = 32;
const maxSearchLength = 2048;

export function checkDnsConfig(errors: FieldError[], path: string, { dnsConfig, dnsPolicy }: PodSpecFields): void {
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) {
      return void errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    }
    if (!dnsConfig.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return void errors.push(required(`${path}.nameservers`, detail));
    }
  }
  if (dnsConfig === undefined) return;
  checkNameservers(errors, `${path}.nameservers`, dnsConfig.nameservers ?? []);
  checkSearches(errors, `${path}.searches`, dnsConfig.searches ?? []);
  dnsConfig.options?.forEach(({ name }, i) => {
    if (!name) errors.push(required(`${path}.options[${i}]`, 'must not be empty'));
  });
}

function checkNameservers(errors: FieldError[], path: string, nameservers: string[]): void {
  if (nameservers.length > maxNameservers) {
    errors.push(invalid(path, nameservers, `must not have more than ${maxNameservers} nameservers`));
  }
  nameservers.forEach((address, i) => pushAll(errors, validateIpSpelling(`${path}[${i}]`, address, true)));
}

function checkSearches(errors: FieldError[], path: string, searches: string[]): void {
  if (searches.length > maxSearchPaths) {
    errors.push(invalid(path, searches, `must not have more than ${maxSearchPaths} search paths`));
  }
  if (searches.join(' ').length > maxSearchLength) {
    const detail = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
    errors.push(invalid(path, searches, detail));
  }
  searches.forEach((search, i) => {
    if (search === '.') return;
    const domain = search.endsWith('.') ? search.slice(0, -1) : search;
    invalidForEach(errors, `${path}[${i}]`, domain, dns1123SubdomainWithUnderscoreProblems(domain));
  });
}

export function checkHostAliases(errors: FieldError[], path: string, aliases: readonly HostAliasFields[]): void {
  aliases.forEach(({ ip, hostnames }, i) => {
    pushAll(errors, validateIpSpelling(`${path}[${i}].ip`, ip, true));
    hostnames?.forEach((name, j) => {
      invalidForEach(errors, `${path}[${i}].hostnames[${j}]`, name, dns1123SubdomainProblems(name));
    });
  });
}
