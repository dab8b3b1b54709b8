import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ESTree, parseSync } from "vite";

/** What a name means in a declaration file: a type, a namespace with more names, or both. */
type Names = Map<string, { declares?: ESTree.Node; inside?: Names }>;
type Module = { names: Names; imports: Map<string, { file: string; name: string }> };

/** Where a type is written: its module, and the namespaces around it, the innermost first. */
type Scope = { module: Module; around: Names[] };
type Found = { node: ESTree.Node; scope: Scope };

const resources = join(import.meta.dirname, "../../node_modules/stripe/esm/resources");
const modules = new Map<string, Module>();

/**
 * How an object differs from Stripe's published description of it at the pinned version: the declarations of
 * Stripe's own library, which are generated from that description. Fields that are missing, unknown or of another
 * type, and words that are not documented (decision 0046).
 */
export function differences(value: unknown, resource: string, type: string): string[] {
  const module = moduleOf(join(resources, `${resource}.d.ts`));
  const found = find([type], { module, around: [] });
  if (!found) throw new Error(`Stripe's library declares no ${type} in ${resource}.`);
  return check(value, found, type);
}

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const module: Module = { names: new Map(), imports: new Map() };
  modules.set(file, module);
  for (const statement of parseSync(file, readFileSync(file, "utf8")).program.body) {
    if (statement.type === "ImportDeclaration") readImport(statement, file, module);
    else declare(statement, module.names);
  }
  return module;
}

function readImport(
  { source, specifiers }: ESTree.ImportDeclaration,
  file: string,
  { imports }: Module,
): void {
  const from = join(dirname(file), source.value.replace(/\.js$/, ".d.ts"));
  for (const specifier of specifiers) {
    if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier") continue;
    imports.set(specifier.local.name, { file: from, name: specifier.imported.name });
  }
}

function declare(statement: ESTree.Node, names: Names): void {
  if (statement.type === "ExportNamedDeclaration" && statement.declaration)
    declare(statement.declaration, names);
  if (
    statement.type !== "TSInterfaceDeclaration" &&
    statement.type !== "TSTypeAliasDeclaration" &&
    statement.type !== "TSModuleDeclaration"
  )
    return;
  const name = statement.id.type === "Identifier" ? statement.id.name : "";
  const entry = names.get(name) ?? {};
  names.set(name, entry);
  if (statement.type !== "TSModuleDeclaration") entry.declares = statement;
  else if (statement.body?.type === "TSModuleBlock") {
    entry.inside ??= new Map();
    for (const inner of statement.body.body) declare(inner, entry.inside);
  }
}

/** Finds `Dispute.Evidence` from where it is used. */
function find(path: string[], scope: Scope): Found | undefined {
  const [first = "", ...rest] = path;
  const chain = [...scope.around, scope.module.names];
  const level = chain.findIndex((names) => names.has(first));
  if (level < 0) {
    const imported = scope.module.imports.get(first);
    if (!imported) return undefined;
    return find([imported.name, ...rest], { module: moduleOf(imported.file), around: [] });
  }
  let around = chain.slice(level, -1);
  let entry = chain[level]?.get(first);
  for (const name of rest) {
    if (entry?.inside) around = [entry.inside, ...around];
    entry = entry?.inside?.get(name);
  }
  if (!entry?.declares) return undefined;
  const inner = entry.inside ? [entry.inside, ...around] : around;
  return { node: entry.declares, scope: { module: scope.module, around: inner } };
}

function check(value: unknown, { node, scope }: Found, at: string): string[] {
  const wrong = (is: boolean) => (is ? [] : [`${at} is ${JSON.stringify(value)}`]);
  switch (node.type) {
    case "TSStringKeyword":
      return wrong(typeof value === "string");
    case "TSNumberKeyword":
      return wrong(typeof value === "number");
    case "TSBooleanKeyword":
      return wrong(typeof value === "boolean");
    case "TSNullKeyword":
      return wrong(value === null);
    case "TSLiteralType":
      return wrong(node.literal.type === "Literal" && node.literal.value === value);
    case "TSArrayType":
      return checkList(value, { node: node.elementType, scope }, at);
    case "TSUnionType":
      return closest(node.types.map((type) => check(value, { node: type, scope }, at)));
    case "TSTypeAliasDeclaration":
      return check(value, { node: node.typeAnnotation, scope }, at);
    case "TSInterfaceDeclaration":
    case "TSTypeLiteral":
      return checkFields(value, { node, scope }, at);
    case "TSTypeReference":
      return checkReference(value, { node, scope }, at);
    default:
      return wrong(false);
  }
}

/** The differences from the alternative that fits best. */
function closest(alternatives: string[][]): string[] {
  return alternatives.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function checkList(value: unknown, item: Found, at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is ${JSON.stringify(value)}`];
  return value.flatMap((one, index) => check(one, item, `${at}[${index}]`));
}

type Reference = { node: ESTree.TSTypeReference; scope: Scope };

function checkReference(value: unknown, { node, scope }: Reference, at: string): string[] {
  const path = pathOf(node.typeName);
  const [argument] = node.typeArguments?.params ?? [];
  if (path.join() === "Array" && argument) return checkList(value, { node: argument, scope }, at);
  // Any other word: allowed to clients, but the sandbox sends only documented ones.
  if (path.join() === "OtherString") return [`${at} is ${JSON.stringify(value)}`];
  if (path.join() === "ApiList" && argument) return checkPage(value, { node: argument, scope }, at);
  const found = find(path, scope);
  if (!found) throw new Error(`${at} has the type ${path.join(".")}, which was not found.`);
  return check(value, found, at);
}

function checkPage(value: unknown, item: Found, at: string): string[] {
  const { data, ...page } = Object(value);
  const is = page.object === "list" && typeof page.has_more === "boolean" && "url" in page;
  return [...(is ? [] : [`${at} is no list`]), ...checkList(data, item, `${at}.data`)];
}

type Interface = { node: ESTree.TSInterfaceDeclaration | ESTree.TSTypeLiteral; scope: Scope };

function checkFields(value: unknown, found: Interface, at: string): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`${at} is ${JSON.stringify(value)}`];
  const { fields, open } = fieldsOf(found);
  const sent = new Map<string, unknown>(Object.entries(value));
  const unknown = open ? [] : [...sent.keys()].filter((name) => !fields.has(name));
  return [
    ...unknown.map((name) => `${at}.${name} is not documented`),
    ...[...fields].flatMap(([name, { optional, type }]) => {
      if (sent.has(name)) return check(sent.get(name), type, `${at}.${name}`);
      return optional ? [] : [`${at}.${name} is missing`];
    }),
  ];
}

type Fields = Map<string, { optional: boolean; type: Found }>;

/** The fields of an interface and of those it extends; `open`: it may have any others, like metadata. */
function fieldsOf({ node, scope }: Interface): { fields: Fields; open: boolean } {
  const fields: Fields = new Map();
  let open = false;
  const [bases, members] =
    node.type === "TSTypeLiteral" ? [[], node.members] : [node.extends, node.body.body];
  for (const { expression } of bases) {
    const base = find(pathOf(expression), scope);
    if (base?.node.type !== "TSInterfaceDeclaration") continue;
    const inherited = fieldsOf({ node: base.node, scope: base.scope });
    for (const [name, field] of inherited.fields) fields.set(name, field);
  }
  for (const member of members) {
    if (member.type === "TSIndexSignature") open = true;
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") continue;
    const type = member.typeAnnotation?.typeAnnotation;
    if (type)
      fields.set(member.key.name, { optional: member.optional, type: { node: type, scope } });
  }
  return { fields, open };
}

/** `Dispute.Evidence`, as a type's name or as what an interface extends. */
function pathOf(name: ESTree.Node): string[] {
  if (name.type === "Identifier") return [name.name];
  if (name.type === "TSQualifiedName") return [...pathOf(name.left), ...pathOf(name.right)];
  if (name.type === "MemberExpression") return [...pathOf(name.object), ...pathOf(name.property)];
  return [];
}
