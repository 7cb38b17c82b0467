"""Grammars of the tests: the paper's own, a small one with everything, and the shipped one."""

from pathlib import Path

import pytest

from ensue.suites import check_grammar, make_repertoire, read_grammar

HERE = Path(__file__).parent

SMALL = """\
<Grammar>
  <Family id="nVn" name="transitive"/>
  <Const id="nV" type="V-A"><NP id="0"/> <Adverb/> <Verb/></Const>
  <Const id="nV" type="V-R0-A" relPro="0"><NP id="0"/> <RelPro/> <Adverb/> <Verb/></Const>
  <Const id="nVn" type="V-A"><NP id="0"/> <Adverb/> <Verb/> <NP id="1"/></Const>
  <Const id="nVn" type="V-P"><NP id="1"/> <Be/> <Adverb/> <PPVerb/> by <NP id="0"/></Const>
  <Const id="nVn" type="V-P"><NP id="1"/> <Be/> <Adverb/> <PPVerb/></Const>
  <Const id="nVn" type="V-R1-A" relPro="1"><NP id="1"/> <RelPro/> <NP id="0"/> <Verb/></Const>
  <Const id="nVn" type="V-R0-P" relPro="0"
    ><NP id="0"/> by <RelPro/> <NP id="1"/> <Be/> <PPVerb/></Const>
  <Const id="eVn" type="V-A"><NP id="0"/> <Verb/> <NP id="1"/></Const>
  <Const id="possN" type="N-Poss"><NP id="0"/>'s <Adjective/> <Noun/></Const>
  <Const id="possNpn" type="N-Poss-PP0"
    ><NP id="0"/>'s <Adjective/> <Noun/> <PP id="0"/> <NP id="1"/></Const>
  <Set pred="arrive">
    <Parts>
      <Verb>arrives</Verb> <Verb number="plural">arrive</Verb> <Verb tense="past">arrived</Verb>
      <Noun>arrival</Noun> <Arg n="0" id="Person"/> <Arg n="manner" id="Speed"/>
    </Parts>
    <Dists><Dist constfam="nV" dist="0"/> <Dist constfam="possN" dist="0"/></Dists>
  </Set>
  <Set pred="read">
    <Parts>
      <Verb>reads</Verb> <Verb number="plural">read</Verb> <Verb tense="past">read</Verb>
      <PPVerb>read</PPVerb> <Noun>reading</Noun>
      <Arg n="0" id="Person"/> <Arg n="1" id="Document"/> <Arg n="manner" id="Speed"/>
    </Parts>
    <Dists>
      <Dist constfam="nVn" dist="01"/> <Dist constfam="nV" dist="0"/>
      <Dist constfam="possNpn" dist="01" fill="of"/>
    </Dists>
  </Set>
  <Set pred="marry" symmetric="01">
    <Parts>
      <Verb>marries</Verb> <Verb number="plural">marry</Verb> <Verb tense="past">married</Verb>
      <PPVerb>married</PPVerb> <Arg n="0" id="Person"/> <Arg n="1" id="Person"/>
    </Parts>
    <Dists><Dist constfam="nVn" dist="01"/></Dists>
  </Set>
  <Set pred="visit">
    <Parts>
      <Verb>visits</Verb> <Verb number="plural">visit</Verb> <Verb tense="past">visited</Verb>
      <PPVerb>visited</PPVerb> <Arg n="0" id="Person"/> <Arg n="1" id="Person"/>
    </Parts>
    <Dists><Dist constfam="nVn" dist="01"/></Dists>
  </Set>
  <Set pred="surprise">
    <Parts>
      <Verb>surprises</Verb> <Verb tense="past">surprised</Verb>
      <Arg n="0" id="Event"/> <Arg n="1" id="Person"/>
    </Parts>
    <Dists><Dist constfam="eVn" dist="01"/></Dists>
  </Set>
  <SemArgs>
    <SemArg id="Person" human="yes">
      <Arg>John</Arg> <Arg>Mary</Arg> <Arg>Mark</Arg> <Arg>the nurse</Arg> <Arg>the pilot</Arg>
      <Arg>a teacher</Arg> <Arg>a singer</Arg> <Arg number="plural">the students</Arg>
    </SemArg>
    <SemArg id="Document">
      <Arg>a book</Arg> <Arg>the letter</Arg> <Arg>the poem</Arg> <Arg number="plural">the maps</Arg>
    </SemArg>
    <SemArg id="Speed"> <Arg adverb="quickly">quick</Arg> <Arg adverb="slowly">slow</Arg> </SemArg>
    <SemArg id="Event" nominal="yes"/>
  </SemArgs>
</Grammar>
"""


class Unread:
    """A dictionary without words."""

    def is_as_general(self, first, second, pos):
        return [False] * len(first)


@pytest.fixture(scope="session")
def unread():
    return Unread()


@pytest.fixture(scope="session")
def paper_files():
    return HERE / "paper.xml", HERE / "families.xml"


@pytest.fixture(scope="session")
def paper(paper_files, unread):
    grammar = read_grammar(*paper_files)
    check_grammar(grammar)
    return make_repertoire(grammar, unread)


@pytest.fixture
def written(tmp_path):
    """Writes a grammar to a file and names it."""

    def write(text, name="grammar.xml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def small_text():
    return SMALL


@pytest.fixture(scope="session")
def small(tmp_path_factory, unread):
    path = tmp_path_factory.mktemp("grammar") / "small.xml"
    path.write_text(SMALL, "utf-8")
    grammar = read_grammar(path)
    check_grammar(grammar)
    return make_repertoire(grammar, unread)


@pytest.fixture(scope="session")
def english():
    grammar = read_grammar()
    check_grammar(grammar)
    return make_repertoire(grammar)
