"""Names of persons, by a short list of usual given names and surnames of several languages, titles and initials.

Names that are better known as places, months, colours or things are left out (Austin, Paris, May, Rose), and so are surnames that are usual words.
"""

import re
import unicodedata
from typing import Literal

Kind = Literal["full", "part"]


def _plain(text: str) -> str:
    """In lower case, without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))


def _names(text: str) -> frozenset[str]:
    return frozenset(_plain(text).split())


_GIVEN = _names(
    """
    aaron abigail adam adrian agnes alan albert alexander alexandra alice alison amanda amelia amy andrea andrew angela anita ann anna anne annie anthony
    arthur ashley barbara benjamin bernard beth betty beverly bob bonnie brandon brenda brian bruce bryan carl carla carol caroline carolyn catherine cathy
    charles cheryl chloe chris christian christina christine christopher cindy claire clara colin connie courtney craig cynthia daniel danielle
    david deborah debra denise dennis derek diana diane donald donna doris dorothy douglas dylan edith edward edwin eileen elaine eleanor elizabeth ellen emily
    emma eric erica erin ernest ethan ethel eugene eva evelyn frances francis frank fred frederick gabriel gary gavin george gerald gillian gladys
    gloria gordon graham greg gregory hannah harold harriet harry heather heidi helen henry herbert howard hugh ian irene isaac isabel isabella jacob jacqueline
    james jane janet janice jason jean jeff jeffrey jennifer jeremy jerry jesse jessica jill jim joan joanna joe joel john jonathan joseph josephine
    joshua joyce juan judith judy julia julian julie justin karen katherine kathleen kathryn kathy katie keith kelly kenneth kevin kimberly kyle larry laura
    lauren leonard leslie liam lillian linda lisa logan lois lori louis louise lucas lucy luke lynn margaret maria marie marilyn mark martha
    martin mary matthew maureen megan melissa michael michelle mike mildred nancy natalie natasha nathan neil nicholas nicole nigel noah nora norma norman
    oliver olivia oscar owen pamela patricia patrick paul paula peggy peter philip phillip phyllis rachel ralph raymond rebecca richard robert robin roger
    ronald roy russell ruth ryan sally samantha samuel sandra sara sarah scott sean sharon shaun sheila shirley simon sophie stacy stephanie stephen steve steven
    stuart susan suzanne sylvia tammy tara teresa terry theresa thomas tiffany timothy tina todd tom tony tracy trevor tyler valerie vanessa vincent
     walter wanda wayne wendy william zachary zoe

    achim andreas angelika anja anke annette antje ariane astrid axel bernd bettina birgit bjorn brigitte britta christa christoph claudia clemens dagmar detlef dieter dirk
    dorothea eberhard elfriede elke erika ernst eva-maria florian franziska friedrich fritz gabriele georg gerda gerhard gertrud gisela gunter gunther hannelore hans hartmut heike
    heiko heinrich heinz helga helmut hildegard holger horst ilse inge ingo ingrid jana jens joachim jochen johann johanna johannes jorg josef jurgen jutta karin karl
    karl-heinz karsten katharina katja katrin kerstin klaus kurt lars lena leonie lothar ludwig lukas lutz magdalena manfred manuela marcel marco margarete marianne marlene martina
    matthias maximilian melanie michaela monika nadine nils norbert olaf otto petra rainer ralf reinhard renate rolf rudiger rudolf sabine sandra sebastian siegfried sigrid silke
    silvia simone sonja stefan stefanie steffen susanne sven svenja tanja thorsten tobias torsten ulrich ulrike ursula ute uwe volker walburga waltraud werner wilhelm wolfgang yvonne

    adele alain amelie andre antoine aurelie benoit bertrand brigitte camille cecile celine chantal christelle christophe clement corinne delphine didier dominique eloise emilie emmanuel
    etienne fabrice francois francoise frederic genevieve gerard gilles guillaume henri isabelle jacques jean-pierre jerome julien laurence laurent lucie manon marc margaux mathieu mathilde
    maxime michel mireille monique nathalie nicolas odile olivier pascal philippe pierre quentin raphael regis remi rene romain sebastien solange stephane sylvain sylvie therese thibault
    thierry valentin veronique virginie xavier yann yves

    alejandro alfonso alfredo alicia alvaro ana andres antonio armando arturo beatriz carlos carmen catalina cesar concepcion cristina diego dolores eduardo elena emilio enrique
    esperanza esteban eugenia felipe fernanda fernando francisco gabriela gonzalo guadalupe guillermo gustavo hector ignacio ines isidro javier jesus jimena joaquin jorge jose josefa juana julio
    leticia lorena lourdes lucia luis luisa manuel marcela marcos mariana mario marta mercedes miguel monica natalia nuria oscar pablo paloma patricio pedro pilar rafael ramon raquel raul
    ricardo roberto rocio rodrigo ruben salvador sergio susana tomas veronica vicente ximena yolanda

    alessandra alessandro alessia andrea angelo antonella antonia bruno carlotta caterina chiara claudio corrado cristiano daniela dario davide domenico donatella elisa elisabetta emanuele enrico enzo ettore
    fabio fabrizio federica federico filippo flavia francesca francesco franco gennaro giacomo gianluca gianni giorgia giorgio giovanna giovanni giulia giuliano giuseppe giuseppina graziella ilaria lorenzo luca luciano
    luigi marcello margherita massimo matteo maurizio michela michele mirella nicola ornella paola paolo patrizia piero pietro raffaele riccardo rita roberta rosanna salvatore silvio simona stefania
    stefano tiziana umberto valentina valeria vincenzo vittorio

    aline andreia beatriz bruna caio cassia conceicao diogo fabiana fatima filipa flavio gilberto goncalo helena henrique iara ines joana joao jorge jose leandro leonor luana luiz mafalda marcelo marcia
    margarida mateus mauricio miguel nuno paulo rafaela renata rogerio rui sandro sonia tatiana teresa thiago tiago vanda vasco vitor

    anders annika astrid bengt birgitta bjorn carina ebba elin elsa erik eva freja frida fredrik gosta greta gunilla gunnar gustav hakan hanne henrik inga ingeborg ingvar jesper johan karin kari kasper kerstin kjell
    lasse leif lena lennart lotta magnus maja malin marit mats mette mikael morten niels nils ola olof ove pernille per rasmus rikke rune signe sigurd sofie solveig soren stig svein sven thor tove tuomas ulf ulla viggo
    aino antti eero eila heikki jari juha jukka kaisa kari liisa matti mikko pekka pirjo riitta seppo tapio timo

    agnieszka aleksander aleksandra andrzej barbara bartosz beata bogdan danuta dariusz dorota elzbieta ewa grazyna grzegorz halina iwona jacek jadwiga janina janusz jaroslaw jerzy joanna jozef kamil katarzyna kazimierz
    krystyna krzysztof leszek lukasz maciej malgorzata marcin marek mariusz marzena mateusz michal mieczyslaw miroslaw pawel piotr przemyslaw rafal robert ryszard slawomir stanislaw stanislawa szymon tadeusz teresa tomasz urszula waldemar
    wanda wieslaw wojciech zbigniew zdzislaw zofia zygmunt jiri jaroslav frantisek vaclav zdenek hana lenka petr pavel ivana milan dragan goran zoran jelena milica

    aleksei aleksey alexei anastasia andrei andrey boris dmitri dmitry ekaterina galina igor irina ivan konstantin ksenia larisa ludmila lyudmila maxim mikhail nadezhda natalya nikita nikolai nikolay oksana oleg olga pavel roman sergei
    sergey svetlana tatyana vera viktor vladimir yekaterina yelena yulia yuri александр алексей анастасия андрей анна антон борис валентина виктор виктория владимир галина дмитрий екатерина елена иван игорь ирина ксения лариса людмила максим мария михаил
    наталья николай оксана олег ольга павел петр светлана сергей татьяна юлия юрий

    ahmed ahmet aisha ali ayse bilal elif emine emre fatma fatemeh hamza hasan hassan hatice hussein huseyin ibrahim ismail khadija khalid mahmoud maryam mehmet mohamed mohammad mohammed muhammad murat mustafa nasser omar
    osman rania salma samira tariq yasmin youssef yusuf zahra zainab zeynep

    abhishek aditya ajay akash amit anil anjali anand arjun arun ashok deepak deepika divya ganesh gaurav harish kavita kiran krishna lakshmi mahesh manish manoj meena mohan mukesh neha nikhil pooja pradeep prakash prasad pravin
    priya rahul rajesh rakesh ramesh ravi rohit sandeep sanjay santosh shilpa shreya sunil sunita suresh swati vijay vikram vinod vivek
    akira haruto hiroshi hiroko kazuko kenji keiko masako mei michiko naoko sakura satoshi takashi takeshi yoko yoshiko yuki yumi jian jing jun lihua wei xiaoming xin ying yong hyun jihoon minji minjun seojun sujin
    anh duc dung hoang hung linh minh nga ngoc phuong quang thanh thao thuy trang tuan
    abdul adebayo amara chinedu chioma emeka folake ifeoma kofi kwame ngozi nkechi nneka olufemi oluwaseun thandiwe themba wanjiku
    """
)
_SURNAMES = _names(
    """
    adams alvarez anderson bailey bennett brooks bryant campbell carter clark coleman collins cooper cox davies davis diaz edwards evans fitzgerald flores foster garcia gomez gonzales gonzalez griffin
    gutierrez hamilton hernandez hughes jenkins johnson jones kennedy lewis lopez macdonald martinez mcdonald mitchell moore morales morgan morris murphy murray nelson nguyen obrien oconnor ortiz patel patterson perez
    peterson phillips powell ramirez reed reyes reynolds richardson rivera roberts robinson rodriguez rogers ruiz sanchez sanders simmons smith stewart sullivan taylor thompson torres tran turner walker watson williams wilson
    bauer becker fischer hartmann hoffmann hofmann huber kaiser keller klein koch kohler konig kramer krause kruger lange lehmann maier meier meyer mueller muller neumann richter schafer schmid schmidt schmitt schmitz schneider
    scholz schroder schulz schulze vogel wagner weber werner winkler wolff zimmermann gruber steiner pichler
    bernard bertrand bonnet boucher dubois dupont dupuis durand fontaine fournier garnier girard lambert laurent lefebvre legrand leroy mercier moreau morel petit renaud roussel rousseau
    alonso castillo castro delgado dominguez fernandez gil iglesias jimenez marin medina molina moreno munoz navarro nunez ortega ramos romero rubio sanz serrano suarez vazquez
    barbieri bianchi bruno caruso colombo conti esposito ferrara ferrari fontana gallo giordano greco lombardi mancini mariani marini moretti ricci rinaldi rizzo romano rossi russo santoro
    almeida alves barbosa cardoso carvalho ferreira gomes goncalves lopes martins mendes oliveira pereira ribeiro rocha silva soares sousa souza teixeira
    andersen andersson berg carlsson christensen dahl eriksson gustafsson hansen hansson jansson jensen johansen johansson karlsson kristensen larsen larsson lindberg lindqvist lindstrom madsen nielsen nilsson olsen olsson pedersen
    persson petersen petersson rasmussen sorensen svensson korhonen virtanen makinen nieminen devries jansen visser smit bakker mulder
    dabrowski kaminski kowalczyk kowalska kowalski kozlowski lewandowski nowak szymanski wisniewski wojcik wozniak zielinski dvorak novak novotny svoboda horvat kovacs nagy szabo popescu ionescu
    ivanov ivanova kuznetsov petrov petrova popov popova smirnov smirnova sokolov volkov иванов иванова кузнецов петров петрова попов смирнов смирнова соколов
    aydin celik demir kaya ozturk sahin yildiz yilmaz khan hussain rahman begum chowdhury gupta kapoor kumar mehta mishra nair pandey rao reddy sharma shah singh verma
    chen huang li lin liu luo wang wu xu yang zhang zhao zhou zhu kim choi jeong kang yoon sato suzuki takahashi tanaka watanabe yamamoto nakamura kobayashi pham phan huynh okafor okonkwo mensah nkosi dlamini
    """
)
_TITLES = _names(
    "mr mrs ms miss dr prof sir herr frau mme mlle monsieur madame sr sra srta senor senora sig signora dott ing rev"
)
_PARTICLES = _names("de del della di da do dos das van von der den ter la le el al bin ibn ben y e i jr ii iii o")
_OF_PLACES = _names(
    """
    san santa sao saint st ste sankt new old north south east west nord sud ost fort port lake mount mt cape grand great los las villa bad la le el the puerto rio monte upper lower little
    """
)
_OF_OTHERS = _names(
    """
    city county town village island islands beach springs park hill hills valley river street st avenue road lane square bridge university college school hospital clinic institute church bank inc ltd llc gmbh ag sa plc co
    company corp group and und et son sons brothers bros center centre club hotel house award prize disease syndrome syndrom
    """
)
_TEXT = re.compile(r"[^\W\d_]+(?:(?:[ \t]*[,.][ \t]*|[ \t]+|['\u2019-])[^\W\d_]+)*\.?")


def name_kind(text: str) -> Kind | None:
    """Whether a text is a full name, or a first or a last name; None if neither."""
    if _TEXT.fullmatch(text) is None:
        return None
    plain = _plain(text).replace("'", "").replace("\u2019", "")
    if plain in _GIVEN:
        return "part"
    words = [word for word in re.split(r"[\s,.-]+", plain) if word]
    if len(words) > 6 or (len(words) > 1 and (words[0] in _OF_PLACES or _OF_OTHERS.intersection(words[1:]))):
        return None
    has_title, has_initial = bool(_TITLES.intersection(words[:2])) and len(words) > 1, any(len(word) == 1 for word in words)
    names = [word for word in words if len(word) > 1 and word not in _TITLES and word not in _PARTICLES]
    known = [word for word in names if word in _GIVEN or word in _SURNAMES]
    if has_title and names:
        return "full"
    if not known or len(names) > 5:
        return None
    return "full" if len(names) > 1 or has_initial else "part"
