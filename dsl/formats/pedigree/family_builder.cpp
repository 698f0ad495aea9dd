#include "dsl/formats/pedigree/family_builder.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

std::string_view wordOf(Sex sex) {
  return sex == Sex::Male ? "a man" : sex == Sex::Female ? "a woman" : "of unknown sex";
}

bool isChild(const PersonRecord &record, std::string_view parent) {
  return record.father.text == parent || record.mother.text == parent;
}

/// Adds to `person` what another record of him says. Returns false if they contradict each other.
bool addSeen(Person &person, const PersonRecord &record) {
  for (size_t l = 0; l < record.seen.size(); ++l) {
    const Phenotype &other = record.seen[l];
    Phenotype &seen = person.seen[l];
    if (!other.isKnown)
      continue;
    if (seen.isKnown &&
        (seen.isAffected != other.isAffected || seen.liability != other.liability ||
         seen.factors != other.factors ||
         genotypeIndex(seen.first, seen.second) != genotypeIndex(other.first, other.second)))
      return false;
    seen = other;
  }
  return true;
}

} // namespace

void FamilyBuilder::add(PersonRecord record) {
  const auto [name, isNew] = names_.try_emplace(std::string(record.family.text), families_.size());
  if (isNew)
    families_.emplace_back(record.family.text, OpenFamily());
  OpenFamily &family = families_[name->second].second;
  if (const auto found = family.ids.find(record.id.text); found != family.ids.end()) {
    const PersonRecord &first = family.records[found->second];
    failed_ = true;
    words_.error(record.id.range, "person {} of family {} is listed twice", excerpt(record.id.text),
                 excerpt(record.family.text));
    words_.diagnostics().note(words_.placeOf(first.id.range), "the first line is here");
    return;
  }
  join(family, record);
  family.records.push_back(std::move(record));
}

/// Finds the person of a record: one of a loop has several.
void FamilyBuilder::join(OpenFamily &family, const PersonRecord &record) {
  size_t person = family.recordsOf.size();
  if (record.proband >= 2)
    person = family.loops.try_emplace(record.proband, person).first->second;
  if (person == family.recordsOf.size())
    family.recordsOf.emplace_back();
  family.recordsOf[person].push_back(family.records.size());
  family.personOf.push_back(person);
  family.ids.emplace(record.id.text, family.personOf.size() - 1);
  for (const PlacedText &parent : {record.father, record.mother})
    family.children.emplace(parent.text, record.id.text);
}

std::optional<size_t> FamilyBuilder::findParent(const OpenFamily &open, const Family &family,
                                                const PlacedText &id, Sex sex) {
  const char *const role = sex == Sex::Male ? "father" : "mother";
  const auto found = open.ids.find(id.text);
  if (found == open.ids.end()) {
    if (!failed_) // else it may be in a line that is wrong
      words_.errorWithHint(id.range,
                           fmt::format("the {} {} is not listed in family {}", role,
                                       excerpt(id.text), excerpt(family.name)),
                           "a parent of whom nothing is known has a line too; 0 is an unknown "
                           "parent");
    return std::nullopt;
  }
  const size_t person = open.personOf[found->second];
  const Person &parent = family.people[person];
  if (parent.sex == sex)
    return person;
  words_.error(id.range, "the {} {} is {}", role, excerpt(id.text), wordOf(parent.sex));
  words_.diagnostics().note(words_.placeOf(parent.place), "the line of {} is here",
                            excerpt(id.text));
  return std::nullopt;
}

bool FamilyBuilder::setParents(const OpenFamily &open, const PersonRecord &record, Family &family,
                               size_t person) {
  const bool hasFather = record.father.text != "0", hasMother = record.mother.text != "0";
  if (!hasFather && !hasMother)
    return true;
  if (hasFather != hasMother)
    return words_.errorWithHint(
        (hasFather ? record.mother : record.father).range,
        fmt::format("person {} of family {} has a known {} and an unknown {}",
                    excerpt(record.id.text), excerpt(family.name), hasFather ? "father" : "mother",
                    hasFather ? "mother" : "father"),
        "both parents are listed, or both are 0: add a line for the other one");
  const auto father = findParent(open, family, record.father, Sex::Male);
  const auto mother = findParent(open, family, record.mother, Sex::Female);
  if (!father || !mother)
    return false;
  Person &child = family.people[person];
  if (!child.isFounder() && (child.father != *father || child.mother != *mother))
    return words_.error(record.father.range,
                        "two lines of the person with proband number {} have different parents",
                        record.proband);
  child.father = *father;
  child.mother = *mother;
  return true;
}

/// Whether the first child, which makeped wrote, is a child of the person; 0 is that of a person
/// who is no parent.
bool FamilyBuilder::hasFirstChild(const OpenFamily &open, const PersonRecord &record) {
  const PlacedText &child = record.firstChild;
  if (child.text.empty() || failed_)
    return true;
  const auto found = open.ids.find(child.text);
  const auto some = open.children.find(record.id.text);
  if (child.text == "0"
          ? some == open.children.end()
          : found != open.ids.end() && isChild(open.records[found->second], record.id.text))
    return true;
  return words_.errorWithHint(
      child.range,
      child.text == "0"
          ? fmt::format("person {} of family {} has no first child here, and is a parent of {}",
                        excerpt(record.id.text), excerpt(record.family.text), excerpt(some->second))
          : fmt::format("the first child {} of person {} of family {} is none of that person",
                        excerpt(child.text), excerpt(record.id.text), excerpt(record.family.text)),
      "the line has the number of columns of a file after makeped, where the first child and two "
      "siblings stand in front of the sex; before makeped it would have four columns less");
}

/// Whether no person is an ancestor of the same person: people are taken away whose parents are
/// away.
bool FamilyBuilder::isAcyclic(const Family &family) {
  std::vector<std::vector<size_t>> children(family.people.size());
  std::vector<size_t> waiting(family.people.size(), 0), ready;
  for (size_t p = 0; p < family.people.size(); ++p) {
    const Person &person = family.people[p];
    if (person.isFounder()) {
      ready.push_back(p);
      continue;
    }
    waiting[p] = 2;
    children[person.father].push_back(p);
    children[person.mother].push_back(p);
  }
  for (size_t done = 0; done < ready.size(); ++done)
    for (const size_t child : children[ready[done]])
      if (--waiting[child] == 0)
        ready.push_back(child);
  if (ready.size() == family.people.size())
    return true;
  // Each of the others has a parent among them: going up long enough ends in a cycle.
  size_t at = static_cast<size_t>(
      std::ranges::find_if(waiting, [](size_t count) { return count != 0; }) - waiting.begin());
  for (size_t step = 0; step < family.people.size(); ++step) {
    const Person &person = family.people[at];
    at = waiting[person.father] != 0 ? person.father : person.mother;
  }
  return words_.error(family.people[at].place,
                      "person {0} of family {1} is an ancestor of person {0}",
                      excerpt(family.people[at].id), excerpt(family.name));
}

bool FamilyBuilder::finishFamily(const OpenFamily &open, Family &family) {
  bool isGood = true;
  for (const std::vector<size_t> &records : open.recordsOf) {
    const PersonRecord &first = open.records[records.front()];
    Person person{.id = std::string(first.id.text),
                  .place = first.id.range,
                  .sex = first.sex,
                  .seen = first.seen};
    for (const size_t r : records) {
      const PersonRecord &record = open.records[r];
      if (record.father.text != "0") // the record in the family he was born in names him
        person.id = record.id.text;
      if (record.sex == first.sex && addSeen(person, record))
        continue;
      isGood = words_.error(
          record.id.range, "two lines of the person with proband number {} differ", record.proband);
      words_.diagnostics().note(words_.placeOf(first.id.range), "the first line is here");
    }
    family.people.push_back(std::move(person));
  }
  for (size_t r = 0; r < open.records.size(); ++r) {
    isGood &= setParents(open, open.records[r], family, open.personOf[r]);
    isGood &= hasFirstChild(open, open.records[r]);
  }
  return isGood && isAcyclic(family);
}

std::optional<std::vector<Family>> FamilyBuilder::finish() {
  std::vector<Family> families;
  bool isGood = !failed_;
  for (const auto &[name, open] : families_) {
    if (words_.diagnostics().full())
      return std::nullopt;
    families.push_back({name, {}});
    isGood &= finishFamily(open, families.back());
  }
  return isGood ? std::optional(std::move(families)) : std::nullopt;
}

} // namespace mpf
