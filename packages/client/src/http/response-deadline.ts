/** Servers answer within a minute, or say that they cannot: kube-apiserver's limit. Watches begin their answer at once. */
export const responseMs = 120_000;

export const noResponse = `no response within ${responseMs / 1000} s`;
