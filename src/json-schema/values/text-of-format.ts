// Texts of the formats that JSON Schema names.

/** The first is the typical one. All are made up, and none belongs to anybody. */
export const FORMAT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  date: ['2025-03-14', '2024-02-29'],
  time: ['09:30:00Z', '23:59:59Z'],
  'date-time': ['2025-03-14T09:30:00Z', '2024-02-29T23:59:59+02:00'],
  duration: ['PT1S'],
  email: ['jane@example.com'],
  'idn-email': ['jane@example.com'],
  hostname: ['example.com'],
  'idn-hostname': ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uri: ['https://example.com/'],
  url: ['https://example.com/'],
  iri: ['https://example.com/'],
  'uri-reference': ['https://example.com/', 'page'],
  'iri-reference': ['https://example.com/', 'page'],
  'uri-template': ['https://example.com/{id}'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000'],
  'json-pointer': ['/a'],
  'relative-json-pointer': ['0'],
  regex: ['a+'],
  byte: ['YQ=='],
  binary: ['a'],
  password: ['example'],
}
